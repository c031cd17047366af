-- Invitations in the language of whoever is invited; the account that comes of one has it.
alter table system.invitations
  add column language text check (language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$');

-- How many links of a kind in a row were asked for: each one waits longer, so that nobody can fill a mailbox, or keep taking
-- away the link that its owner is about to open.
alter table system.links add column requests integer not null default 1;
