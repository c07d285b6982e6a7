create table files (
  id integer primary key,
  blob text not null,
  language text not null,
  version integer not null,
  seen integer not null,
  skipped text,
  partial text,
  symbols integer not null,
  "references" integer not null,
  facts text,
  unique (blob, language, version)
) strict;

create table names (
  id integer primary key,
  name text not null unique
) strict;

create table defined (
  name integer not null,
  file integer not null,
  primary key (name, file)
) strict, without rowid;

create table used (
  name integer not null,
  file integer not null,
  primary key (name, file)
) strict, without rowid;

create table settings (
  blob text primary key,
  seen integer not null,
  content text not null
) strict, without rowid;
