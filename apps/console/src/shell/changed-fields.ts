/** The fields of a form whose values differ from those of the record, as it was read. */
export function changedFields<T extends object>(base: T, form: T): Partial<T> {
  const names = Object.keys(form) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => form[name] !== base[name]).map((name) => [name, form[name]]),
  ) as Partial<T>;
}

/** Whether another person has changed one of the fields between two readings of a record. */
export function isChangedMeanwhile<T extends object>(before: T, now: T, fields: object): boolean {
  return (Object.keys(fields) as (keyof T)[]).some((name) => before[name] !== now[name]);
}

/** The form over a newer reading of its record: the fields that nobody typed in take the new values. */
export function carryOver<T extends object>(form: T, base: T, now: T): T {
  return { ...now, ...changedFields(base, form) };
}
