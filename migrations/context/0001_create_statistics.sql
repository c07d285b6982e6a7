-- What ranking knows of contents, as packed by the version that is part of the key.
create table term_statistics (
  blob text not null,
  language text not null,
  version integer not null,
  packed blob not null,
  primary key (blob, language)
) strict, without rowid;
