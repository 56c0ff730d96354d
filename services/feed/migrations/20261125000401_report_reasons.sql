-- Two further reasons of reports.

alter table feed.reports
    drop constraint reports_reason_check,
    add constraint reports_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other'
        )
    );
