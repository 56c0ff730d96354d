-- Words are written by another tokenization: states 1 and 2 are those of the earlier one, and such documents are read again. States
-- 3 and 4 have its meaning for the present one: 3 has words missing from search_words, 4 is complete.

alter table news.search_documents
    drop constraint search_documents_state_check,
    add constraint search_documents_state_check check (state between 0 and 4) not valid;
