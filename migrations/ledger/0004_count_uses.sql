create table uses (
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  run text not null,
  kind text not null check (kind in ('skill', 'rule', 'note', 'command', 'agent')),
  id text not null,
  how text not null check (how in ('shown', 'read', 'activated', 'fired', 'learnt')),
  times integer not null,
  last_at text not null,
  primary key (host, owner, name, requirement, run, kind, id, how)
) strict, without rowid;

create index uses_by_run on uses (run);
create index uses_by_id on uses (kind, id, host, owner, name);
