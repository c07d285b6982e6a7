create table ledger_entries (
  id text primary key,
  at text not null,
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  run text not null,
  phase text not null,
  task text not null,
  agent text not null,
  call_type text not null check (call_type in ('plan', 'generate', 'validate', 'compress')),
  provider text not null,
  model text not null,
  input integer not null,
  cache_read integer not null,
  cache_write integer not null,
  output integer not null,
  cost_nano_usd integer,
  input_price_nano_usd real,
  duration_ms integer not null,
  stop_reason text not null,
  attempt integer not null,
  prompt_version text not null,
  wasted integer not null check (wasted in (0, 1))
) strict;

create index ledger_entries_by_requirement on ledger_entries (requirement, host, owner, name);
create index ledger_entries_by_run on ledger_entries (run);
create index ledger_entries_by_day on ledger_entries (substr(at, 1, 10));
