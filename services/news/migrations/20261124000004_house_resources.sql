-- The house's own resources: public pages law students use, and two texts of ours, which have no address.

insert into news.resources (id, title, description, url, canonical_url, type, created_at, approved_at)
values
    (
        '019aa900-0000-7000-8000-000000000001',
        'Oyez',
        'Every case of the Supreme Court of the United States since 1955 with the recordings of its arguments, and short plain accounts of facts, question and conclusion.',
        'https://www.oyez.org/cases',
        'https://oyez.org/cases',
        'case-brief', '2026-11-20T09:00:15Z', '2026-11-20T09:00:15Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000002',
        'Justia: U.S. Supreme Court Center',
        'Full opinions of the Supreme Court since 1791, many with a summary, by volume, year and topic.',
        'https://supreme.justia.com/',
        'https://supreme.justia.com',
        'case-brief', '2026-11-20T09:00:14Z', '2026-11-20T09:00:14Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000003',
        'Wex',
        'The legal dictionary and encyclopedia of Cornell''s Legal Information Institute: a first, dependable answer to what a term means.',
        'https://www.law.cornell.edu/wex',
        'https://law.cornell.edu/wex',
        'study-material', '2026-11-20T09:00:13Z', '2026-11-20T09:00:13Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000004',
        'Federal Rules of Civil Procedure',
        'The rules with the committee''s notes, rule by rule, at Cornell''s Legal Information Institute.',
        'https://www.law.cornell.edu/rules/frcp',
        'https://law.cornell.edu/rules/frcp',
        'study-material', '2026-11-20T09:00:12Z', '2026-11-20T09:00:12Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000005',
        'Introduction to Basic Legal Citation',
        'Peter W. Martin''s guide to citing cases, statutes and the rest, with examples for each.',
        'https://www.law.cornell.edu/citation/',
        'https://law.cornell.edu/citation',
        'guide', '2026-11-20T09:00:11Z', '2026-11-20T09:00:11Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000006',
        'Constitution Annotated',
        'What the Constitution says and how it has been read, clause by clause, by the Library of Congress.',
        'https://constitution.congress.gov/',
        'https://constitution.congress.gov',
        'study-material', '2026-11-20T09:00:10Z', '2026-11-20T09:00:10Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000007',
        'CourtListener',
        'Millions of opinions, dockets and recorded arguments of federal and state courts to search, free of charge, by the Free Law Project.',
        'https://www.courtlistener.com/',
        'https://courtlistener.com',
        'study-material', '2026-11-20T09:00:09Z', '2026-11-20T09:00:09Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000008',
        'CALI Lessons',
        'Interactive lessons by law faculty on nearly every course of law school; most schools give their students access.',
        'https://www.cali.org/',
        'https://cali.org',
        'study-material', '2026-11-20T09:00:08Z', '2026-11-20T09:00:08Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000009',
        'The LSAT, by those who give it',
        'Dates, registration, what is asked and how to prepare, from the Law School Admission Council.',
        'https://www.lsac.org/lsat',
        'https://lsac.org/lsat',
        'guide', '2026-11-20T09:00:07Z', '2026-11-20T09:00:07Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000a',
        'Bar exams of the NCBE',
        'What the National Conference of Bar Examiners tests, in which jurisdictions, and how it is scored.',
        'https://www.ncbex.org/exams',
        'https://ncbex.org/exams',
        'guide', '2026-11-20T09:00:06Z', '2026-11-20T09:00:06Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000b',
        'OSCAR: federal clerkships',
        'Where federal judges announce clerkships and staff attorney positions, and how to apply for them.',
        'https://oscar.uscourts.gov/',
        'https://oscar.uscourts.gov',
        'guide', '2026-11-20T09:00:05Z', '2026-11-20T09:00:05Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000c',
        'SCOTUSblog',
        'What is before the Supreme Court and what became of it: previews, reports and statistics, written for readers who are still learning.',
        'https://www.scotusblog.com/',
        'https://scotusblog.com',
        'article', '2026-11-20T09:00:04Z', '2026-11-20T09:00:04Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000d',
        'ABA Law Student Division',
        'Articles, competitions and advice for law students from the American Bar Association.',
        'https://www.americanbar.org/groups/law_students/',
        'https://americanbar.org/groups/law_students',
        'article', '2026-11-20T09:00:03Z', '2026-11-20T09:00:03Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000e',
        'How to brief a case',
        E'A brief is one page you can speak from when you are called on. Read the whole opinion once before you write anything, then write, in your own words:\n\n1. Name, court and year. Whether this court had the last word matters later.\n2. Facts. Only those the outcome turns on. If changing a fact would change nothing, leave it out.\n3. Procedure. Who sued whom for what, who won below, and what this court was asked to decide.\n4. Issue. One question that can be answered with yes or no, with the deciding facts in it.\n5. Holding. The answer, as narrow as the court gave it.\n6. Reasoning. The steps from rule to result, and where the court got the rule from. This is most of the brief.\n7. Concurrences and dissents. One sentence each: on which step they part.\n8. What you make of it. Which fact would flip it, and which case of last week it fits with or does not.\n\nIf it does not fit on a page, it is a copy and not a brief.',
        null,
        null,
        'guide', '2026-11-20T09:00:02Z', '2026-11-20T09:00:02Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000f',
        'From notes to an outline',
        E'An outline is where a course becomes something you can use under time. Begin it in the fourth week, not the twelfth.\n\nBuild it from the table of contents of the syllabus, not from the order of your notes: a topic, its rules, the elements of each rule, and under each element the cases as examples with one line of facts. Write every rule so that you could apply it: if this and this, then that, unless.\n\nKeep three lists beside it: policies that pull both ways, questions your professor keeps asking, and hypotheticals from class with the answer that was accepted.\n\nThen make it smaller. Thirty pages for understanding, five for the exam, and one page of headings that you can write down from memory in three minutes. Try it on an old exam under the clock, a week before you think you are ready, and mend what was missing. What you have to look up twice belongs on the one page.',
        null,
        null,
        'study-material', '2026-11-20T09:00:01Z', '2026-11-20T09:00:01Z'
    );
