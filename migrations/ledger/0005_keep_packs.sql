create table packs (
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  run text not null,
  phase text not null,
  task text not null,
  agent text not null,
  at text not null,
  hash text not null,
  tokens integer not null,
  files integer not null,
  asked integer not null,
  asked_later integer not null check (asked_later <= asked),
  primary key (run, phase, task, agent)
) strict, without rowid;

create index packs_by_requirement on packs (requirement, host, owner, name);
