-- A lane of its own for questions, so that they wait for no run. A check cannot be altered, so the table is made anew.
create table jobs_anew (
  seq integer primary key,
  id text not null unique,
  lane text not null check (lane in ('route', 'run', 'ask', 'watch')),
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

insert into jobs_anew (seq, id, lane, group_key, key, body, state, attempt, fence, due_at, worker, lease_until, stop_by,
  stop_reason, outcome, ended_at)
select seq, id, lane, group_key, key, body, state, attempt, fence, due_at, worker, lease_until, stop_by,
  stop_reason, outcome, ended_at
from jobs;

drop table jobs;
alter table jobs_anew rename to jobs;

create unique index one_running_job_per_group on jobs (lane, group_key) where state = 'running';
create index jobs_in_order on jobs (lane, state, seq);
create index jobs_by_group on jobs (lane, group_key, state, seq);
create index jobs_by_end on jobs (ended_at) where ended_at is not null;
