-- What people said in comments; the last row of a requirement holds.
create table stated_budgets (
  id text primary key,
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  unit text not null check (unit in ('usd', 'tokens')),
  -- Nano-dollars, or weighted tokens.
  amount integer not null check (amount > 0),
  said_by text not null,
  at text not null
) strict;

create index stated_budgets_by_requirement on stated_budgets (requirement, host, owner, name);

-- Alerts that were given, so that none is given twice.
create table budget_alerts (
  host text not null,
  owner text not null,
  name text not null,
  requirement text not null,
  budget text not null,
  at text not null,
  primary key (host, owner, name, requirement, budget)
) strict, without rowid;
