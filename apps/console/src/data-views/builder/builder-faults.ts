import { type Fault, RowhouseError } from "@rowhouse/client";

/**
 * Returns the faults of a refusal with their places in the DataView itself: `/presentation/group`. Faults elsewhere,
 * such as of the person of a preview, keep their path.
 *
 * @param base the JSON pointer of the DataView in the request
 */
export function faultsOfView(error: unknown, base: "/data" | "/data/view"): readonly Fault[] {
  const faults = error instanceof RowhouseError ? error.faults : [];
  return faults.map((fault) =>
    fault.path?.startsWith(`${base}/`) === true
      ? { ...fault, path: fault.path.slice(base.length) }
      : fault,
  );
}

const placed =
  /^\/(?:name|description|icon|resourceId|fields|where|orderBy|limit|roleIds|presentation)(?:\/|$)/;

/** Whether a control of the builder shows a fault. */
export function isPlaced({ path }: Fault): boolean {
  return path !== undefined && placed.test(path);
}

/** Returns the message at a place or within it. */
export function messageAt(faults: readonly Fault[], pointer: string): string | undefined {
  return faults.find(({ path }) => path === pointer || path?.startsWith(`${pointer}/`) === true)
    ?.message;
}
