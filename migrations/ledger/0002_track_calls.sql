alter table ledger_entries add column calls integer not null default 1 check (calls >= 0);
alter table ledger_entries add column request_hash text;
alter table ledger_entries add column estimated integer not null default 0 check (estimated in (0, 1));

-- Calls that have begun and not ended. After a crash they are what is known of the money that is gone.
create table open_calls (
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
  call_type text not null,
  provider text not null,
  model text not null,
  input integer not null,
  cache_read integer not null,
  cache_write integer not null,
  output integer not null,
  cost_nano_usd integer,
  input_price_nano_usd real,
  attempt integer not null,
  prompt_version text not null,
  request_hash text,
  estimated integer not null default 1
) strict;

-- Sums that budgets are compared with before every call: adding all entries up each time would be too slow.
create table ledger_sums (
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  run text not null,
  task text not null,
  phase text not null,
  agent text not null,
  day text not null,
  estimated integer not null,
  nano_usd integer not null,
  weighted_tokens real not null,
  primary key (host, owner, name, requirement, run, task, phase, agent, day, estimated)
) strict, without rowid;

create index ledger_sums_by_day on ledger_sums (day, host, owner, name, nano_usd, weighted_tokens);
create index ledger_sums_by_run on ledger_sums (run);

insert into ledger_sums
select host, owner, name, requirement, run, task, phase, agent, substr(at, 1, 10), 0,
  coalesce(sum(cost_nano_usd), 0),
  sum(case when cost_nano_usd is not null and input_price_nano_usd > 0 then cost_nano_usd / input_price_nano_usd
    else input + cache_read + cache_write + output end)
from ledger_entries
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;

create trigger ledger_entries_sum after insert on ledger_entries begin
  insert into ledger_sums values (
    new.host, new.owner, new.name, new.requirement, new.run, new.task, new.phase, new.agent, substr(new.at, 1, 10), new.estimated,
    coalesce(new.cost_nano_usd, 0),
    case when new.cost_nano_usd is not null and new.input_price_nano_usd > 0 then new.cost_nano_usd / new.input_price_nano_usd
      else new.input + new.cache_read + new.cache_write + new.output end
  )
  on conflict do update set
    nano_usd = nano_usd + excluded.nano_usd,
    weighted_tokens = weighted_tokens + excluded.weighted_tokens;
end;
