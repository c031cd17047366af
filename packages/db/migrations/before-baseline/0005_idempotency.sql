-- The first answer to a POST with an Idempotency-Key, for a day: the same key and request give it again.
create table system.idempotency_keys (
  user_id uuid not null references system.users (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  fingerprint text not null,
  status smallint,
  body text,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on system.idempotency_keys (created_at);
comment on column system.idempotency_keys.fingerprint is 'SHA-256 of the request that came with the key first';
