-- Calls of the MCP server. No foreign keys: one call of a person who was deleted in between must not lose its batch.
create table system.mcp_calls (
  -- In the order of the commits: the journal inserts under an advisory lock.
  id bigint generated always as identity primary key,
  called_at timestamptz not null,
  user_id uuid not null,
  token_id uuid not null,
  client_name text,
  method text not null,
  tool text,
  outcome text not null check (outcome in ('SUCCEEDED', 'REFUSED', 'FAILED')),
  code text,
  duration_ms integer not null,
  row_count bigint,
  byte_count bigint,
  resource text
);
create index mcp_calls_age on system.mcp_calls (called_at);
create index mcp_calls_user on system.mcp_calls (user_id, id);
create index mcp_calls_token on system.mcp_calls (token_id, id);
