-- Reads the table while other transactions read and write it.
alter table jobs.search_documents validate constraint search_documents_state_check;
