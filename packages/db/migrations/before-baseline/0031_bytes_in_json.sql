-- JSON of a value of a type, with the bytes anywhere in it written another way: 'base64' for an answer, where Postgres writes
-- them as '\x…', and 'hex' for what a caller sent. A list that stands in a list of the same type is a dimension of it.
create function system.bytes_in_json(value json, type oid, form text) returns json
language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
  shape text := json_typeof(value);
  sent text;
  of record;
begin
  if shape is null or shape = 'null' then return value; end if;
  select t.typtype as kind, t.typbasetype as base, t.typrelid as relation,
    case when t.typsubscript = 'array_subscript_handler'::regproc then t.typelem else 0 end as element
  into of from pg_type t where t.oid = type;
  if of.kind = 'd' then return system.bytes_in_json(value, of.base, form); end if;
  if type = 'bytea'::regtype and shape = 'string' then
    sent := value #>> '{}';
    if form = 'hex' then
      return to_json('\x' || encode(decode(sent || repeat('=', -length(sent) & 3), 'base64'), 'hex'));
    end if;
    return to_json(translate(encode(sent::bytea, 'base64'), E'\n', ''));
  end if;
  if of.element <> 0 and shape = 'array' then
    return coalesce((
      select json_agg(
        system.bytes_in_json(i.item, case when json_typeof(i.item) = 'array' and not b.is_array then type else of.element end, form)
        order by i.place)
      from json_array_elements(value) with ordinality i (item, place)
      cross join (
        select coalesce(d.typsubscript, e.typsubscript) = 'array_subscript_handler'::regproc as is_array
        from pg_type e left join pg_type d on d.oid = e.typbasetype where e.oid = of.element) b), '[]');
  end if;
  if of.kind = 'c' and shape = 'object' then
    return coalesce((
      select json_object_agg(m.key, system.bytes_in_json(m.value, coalesce(a.atttypid, 0), form) order by m.place)
      from json_each(value) with ordinality m (key, value, place)
      left join pg_attribute a on a.attrelid = of.relation and a.attname = m.key and a.attnum > 0), '{}');
  end if;
  return value;
end $$;
