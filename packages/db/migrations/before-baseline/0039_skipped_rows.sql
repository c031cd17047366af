-- Undoes a statement that wrote fewer rows than it found or was sent: no RETURNING clause has checked the grants on the others.
create function system.refuse_skipped_row() returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'RH409',
    message = 'A trigger skipped the row, or another request changed it at the same time; nothing was written';
end $$;
