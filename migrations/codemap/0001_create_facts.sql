-- What is known of one content, read as one language by one version of the extractor; no path stands here.
create table blobs (
  id integer primary key autoincrement,
  blob text not null,
  language text not null,
  extractor text not null,
  read_as text not null,
  skipped text,
  partial text,
  symbols integer not null,
  uses integer not null,
  seen_day integer not null,
  retry_day integer,
  unique (blob, language, extractor)
) strict;

create table facts (
  blob integer primary key,
  encoded text not null
) strict;

create table names (
  id integer primary key autoincrement,
  name text not null unique
) strict;

create table definitions (
  name integer not null,
  blob integer not null,
  primary key (name, blob)
) strict, without rowid;

create table uses (
  name integer not null,
  blob integer not null,
  primary key (name, blob)
) strict, without rowid;

-- How often rows were removed: whoever holds ids asks for them again after that.
create table prunings (
  one integer primary key check (one = 1),
  times integer not null
) strict;

insert into prunings (one, times) values (1, 0);
