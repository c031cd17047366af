/**
 * A query of the relations with rules (`create rule`) for writes: `barred`, the methods that the rules prevent, and
 * `replaces_delete`, whether a rule replaces each deletion by another change.
 *
 * A write of the service is a part of a statement, where PostgreSQL supports a single unconditional `do instead` rule only; an
 * INSERT in it fails, because it refers to another part ("bad levelsup for CTE"). A create and an update also need the new row
 * for its check, which a rule may report at will.
 */
export const rulesSql = `
  select w.ev_class as relation,
    pg_catalog.array_remove(array[
      case when pg_catalog.bool_or(w.ev_type = '3') then 'POST' end, case when pg_catalog.bool_or(w.ev_type = '2') then 'PATCH' end,
      case when pg_catalog.count(*) filter (where w.ev_type = '4') > 1
        or pg_catalog.bool_or(w.ev_type = '4' and not (w.is_instead and w.ev_qual::text = '<>'
          and pg_catalog.pg_get_ruledef(w.oid) ~ ' DO INSTEAD\\s+(UPDATE|DELETE)\\M')) then 'DELETE' end], null) as barred,
    pg_catalog.bool_or(w.ev_type = '4') as replaces_delete
  from pg_catalog.pg_rewrite w
  where w.ev_type <> '1' and w.ev_enabled in ('O', 'A') and w.oid >= 16384
  group by w.ev_class`;
