import { RowhouseError } from "@rowhouse/client";

/** Requests that look for the fields that cannot be read. */
const requestsMax = 16;

/**
 * Whether a list failed because of a value that it computes. The service does not name the field then; a fault of the
 * request itself has a path.
 */
export function isUncomputable(error: unknown): error is RowhouseError {
  return (
    error instanceof RowhouseError &&
    error.code === "VALUE_INVALID" &&
    error.faults.every(({ path }) => path === undefined)
  );
}

/**
 * Finds the fields that make a list fail, by halves. Once the requests are used up, the fields that are still in question
 * count as unreadable, too. Returns none if the list fails without regard to its fields.
 *
 * @param fields which fail together
 * @param read reads the list with some of them
 */
export async function findUnreadable(
  fields: readonly string[],
  read: (some: readonly string[]) => Promise<unknown>,
): Promise<ReadonlySet<string>> {
  let requests = 0;
  const fails = async (some: readonly string[]): Promise<boolean> => {
    requests += 1;
    try {
      await read(some);
      return false;
    } catch (error) {
      if (isUncomputable(error)) return true;
      throw error;
    }
  };
  const found = new Set<string>();
  const failing = [fields];
  for (let some = failing.shift(); some !== undefined; some = failing.shift()) {
    if (some.length <= 1 || requests + 2 > requestsMax) {
      for (const field of some) found.add(field);
      continue;
    }
    const middle = Math.ceil(some.length / 2);
    const [first, second] = [some.slice(0, middle), some.slice(middle)];
    const isFirst = await fails(first);
    if (isFirst) failing.push(first);
    // If the first half can be read, the second half cannot.
    if (!isFirst || (await fails(second))) failing.push(second);
  }
  return found.size === fields.length ? new Set() : found;
}
