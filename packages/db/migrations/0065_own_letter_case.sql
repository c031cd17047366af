-- Addresses and names of the service's own records are compared without regard to case in every database alike. By the rules of
-- a database of the locale tr-TR, INFO is not info: nobody signed in with such an address in capitals, and a second account was
-- admitted beside the first. Rows of the users' own tables keep the rules of the database.

create function system.fold(value text) returns text
language sql immutable parallel safe as $function$
  select pg_catalog.lower(value collate pg_catalog."und-x-icu")
$function$;

create or replace function system.fold_address(address text) returns text
language sql immutable parallel safe as $function$
  select system.fold(address)
$function$;

-- Nothing is merged: an administrator decides which of two records stays.
do $check$
declare
  found text;
begin
  select string_agg(d.sentence, '; ' order by d.sentence) into found from (
    select 'accounts ' || string_agg(format('%s (%s)', email, id), ', ' order by email) as sentence
      from system.users group by system.fold(email) having count(*) > 1
    union all
    select 'roles ' || string_agg(format('%s (%s)', name, id), ', ' order by name)
      from system.roles group by system.fold(name) having count(*) > 1
    union all
    select 'tokens ' || string_agg(format('%s (%s)', name, id), ', ' order by name)
      from system.tokens group by user_id, system.fold(name) having count(*) > 1
    union all
    select 'open invitations ' || string_agg(format('%s (%s)', email, id), ', ' order by email)
      from system.invitations where digest is not null group by system.fold(email) having count(*) > 1
  ) d;
  if found is not null then
    raise exception using errcode = 'RH001', message =
      format('Records differ only in the case of letters (%s). Rename or delete one of each in the schema system, and start again', found);
  end if;
end $check$;

-- Code of the migrations before treats each of these keys as a conflict, by whatever rule it compares.
select system.serve_from(63);

drop index system.users_email_key;
create unique index users_email_key on system.users (system.fold(email));
drop index system.roles_name_key;
create unique index roles_name_key on system.roles (system.fold(name));
drop index system.tokens_name_key;
create unique index tokens_name_key on system.tokens (user_id, system.fold(name));
drop index system.invitations_open;
create unique index invitations_open on system.invitations (system.fold(email)) where digest is not null;

-- The only change: names of triggers, such as rowhouse_insert.
create or replace view system.wanted_event_triggers as
 SELECT w.relation_oid,
    format('rowhouse_%s%s_%s'::text,
        CASE
            WHEN (w.function_name = 'record_history'::text) THEN 'history_'::text
            ELSE NULL::text
        END, system.fold(w.operation), w.resource_id) AS name,
    w.resource_id,
    w.operation,
    ((w.operation <> 'TRUNCATE'::text) AND ((c.relkind = 'p'::"char") OR (EXISTS ( SELECT 1
           FROM pg_inherits i
          WHERE ((c.oid = i.inhrelid) OR (c.oid = i.inhparent)))))) AS for_each_row,
    w.function_name
   FROM (( SELECT r.relation_oid,
            r.id AS resource_id,
            o.operation,
            'record_events'::text AS function_name
           FROM (((system.workflow_watches w_1
             JOIN system.workflows f ON (((f.id = w_1.workflow_id) AND f.enabled)))
             JOIN system.resources r ON ((r.id = w_1.resource_id)))
             CROSS JOIN LATERAL unnest(w_1.operations) o(operation))
        UNION
         SELECT r.relation_oid,
            r.id,
            o.operation,
            'record_history'::text AS text
           FROM (system.resources r
             CROSS JOIN unnest('{INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) o(operation))
          WHERE (r.history AND (r.kind = 'TABLE'::text))) w
     JOIN pg_class c ON (((c.oid = w.relation_oid) AND (c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])))));
