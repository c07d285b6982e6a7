create table deliveries (
  source text not null,
  id text not null,
  event text not null,
  action text,
  payload text not null,
  received_at integer not null,
  primary key (source, id)
) strict;

create index deliveries_by_age on deliveries (received_at);

create table jobs (
  seq integer primary key,
  id text not null unique,
  lane text not null check (lane in ('route', 'run')),
  group_key text not null,
  key text not null,
  body text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'removed')),
  attempt integer not null default 0,
  fence integer not null default 0,
  due_at integer not null,
  worker text,
  lease_until integer,
  stop_by text,
  stop_reason text,
  outcome text,
  ended_at integer,
  unique (lane, key)
) strict;

-- The database itself keeps two jobs of one group from running side by side.
create unique index one_running_job_per_group on jobs (lane, group_key) where state = 'running';
create index jobs_in_order on jobs (lane, state, seq);
create index jobs_by_group on jobs (lane, group_key, state, seq);
create index jobs_by_end on jobs (ended_at) where ended_at is not null;
