-- A cache of files: all of it can be deleted and is made again from them.
-- Vectors by what was embedded and by whom; null where a text says nothing to that embedder.
create table vectors (
  vid integer primary key,
  text_hash text not null,
  embedder text not null,
  vector blob,
  unique (text_hash, embedder)
) strict;

create table memories (
  rid integer primary key,
  folded_id text not null unique,
  type text not null,
  status text not null check (status in ('active', 'superseded', 'retired')),
  fingerprint text not null,
  normal_hash text not null,
  vid integer references vectors (vid),
  created text not null,
  weight real not null,
  since integer,
  period integer not null,
  cold_from integer
) strict;

create index memories_normal on memories (normal_hash);
create index memories_vid on memories (vid, status, cold_from, folded_id);

-- Apart from what is looked through for every question, which stays small by that.
create table memory_texts (
  rid integer primary key references memories (rid) on delete cascade,
  said text not null,
  terms text not null
) strict;

create table memory_files (
  path text not null,
  rid integer not null references memories (rid) on delete cascade,
  is_pattern integer not null,
  primary key (path, rid)
) strict, without rowid;

create index memory_files_rid on memory_files (rid);
create index memory_files_pattern on memory_files (rid) where is_pattern = 1;

create table memory_symbols (
  name text not null,
  rid integer not null references memories (rid) on delete cascade,
  symbol text not null,
  primary key (name, rid, symbol)
) strict, without rowid;

create index memory_symbols_rid on memory_symbols (rid);

-- Which memory stands in another one's place, and which contradict each other; folded ids, as their files say it.
create table memory_links (
  from_id text not null,
  to_id text not null,
  kind text not null check (kind in ('supersedes', 'conflicts')),
  primary key (from_id, to_id, kind)
) strict, without rowid;

create index memory_links_to on memory_links (to_id, kind);

create table terms (
  term text primary key,
  texts integer not null
) strict, without rowid;

create virtual table memory_terms using fts5 (terms, content = '', contentless_delete = 1, tokenize = 'unicode61');
