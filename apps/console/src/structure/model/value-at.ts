/** Returns the own value of a name that people chose: `constructor` is a possible name of a column. */
export function valueAt<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
