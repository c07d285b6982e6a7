alter table packs add column knowledge_tokens integer not null default 0;
