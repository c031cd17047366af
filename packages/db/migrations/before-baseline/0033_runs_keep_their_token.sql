-- A run keeps the token that started it, and so do the runs that it starts: their steps act under the user and the token.
-- No reference: a token that was deleted must not give its runs the rights that it did not have.
alter table system.workflow_runs
  add column token_id uuid,
  add column token_plane text 
    check (token_plane in ('api', 'admin') and (token_id is null) = (token_plane is null));
comment on column system.workflow_runs.token_id is 'The personal access token that started the run, or the run above it';

-- A flow that links an account at a provider ends with the session that began it.
alter table system.provider_flows
  add column session_id uuid references system.sessions (id) on delete cascade;
create index provider_flows_session on system.provider_flows (session_id) where session_id is not null;
