import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type ResourceEntry, resourcesQuery } from "../../shell/resource-queries.ts";
import { actionMethods, type Method } from "./grant-queries.ts";

/** Milliseconds without a click after which the clicks of a burst are sent as one request. */
const burst = 250;

/** Changes the exposure of resources in place. */
export interface ExposureChanges {
  /** The last failure, whose changes are put back. */
  readonly failure: { readonly error: unknown; readonly count: number } | undefined;
  /** Methods that are wanted and not yet stored, by `methodKey`. */
  readonly pending: ReadonlyMap<string, Wanted>;
  /** The methods of a resource, with those that are not yet stored. */
  readonly methodsOf: (resource: ResourceEntry) => ResourceEntry["exposedMethods"];
  /** Exposes or hides a method. */
  readonly toggle: (resource: ResourceEntry, method: Method) => void;
  /** Sets whether each of the given methods of resources is exposed, at once. A view accepts GET only. */
  readonly set: (
    resources: readonly ResourceEntry[],
    methods: Readonly<Partial<Record<Method, boolean>>>,
  ) => void;
}

interface Wanted {
  readonly id: string;
  readonly method: Method;
  readonly isExposed: boolean;
}

/** The key of a method of a resource. */
export function methodKey(id: string, method: Method): string {
  return `${id} ${method}`;
}

/**
 * Exposes and hides methods. The clicks of a burst are one request, and requests run one after the other. The methods that
 * another administrator changes meanwhile stay as they are: each request begins with the present ones.
 */
export function useExposure(): ExposureChanges {
  const queries = useQueryClient();
  const [pending, setPending] = useState<ReadonlyMap<string, Wanted>>(new Map());
  const [failure, setFailure] = useState<ExposureChanges["failure"]>();
  const wanted = useRef<ReadonlyMap<string, Wanted>>(new Map());
  const waiting = useRef(new Map<string, Wanted>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<Promise<void>>(Promise.resolve());

  const show = useCallback((next: ReadonlyMap<string, Wanted>) => {
    wanted.current = next;
    setPending(next);
  }, []);
  const send = useCallback(() => {
    clearTimeout(timer.current);
    if (waiting.current.size === 0) return;
    const batch = waiting.current;
    waiting.current = new Map();
    const write = async () => {
      const present = await queries.fetchQuery(resourcesQuery);
      const { data } = await client.admin.patch("/resources", { data: updatesOf(present, batch) });
      const stored = new Map(data.map((one) => [one.id, one.exposedMethods]));
      queries.setQueryData(resourcesQuery.queryKey, (all) =>
        all?.map((one) => ({
          ...one,
          exposedMethods: stored.get(one.id) ?? one.exposedMethods,
        })),
      );
    };
    last.current = last.current
      .then(write)
      .catch((error: unknown) => setFailure({ error, count: batch.size }))
      .then(() => {
        // A later click on the same cell is still to be sent.
        const left = [...wanted.current].filter(([key, one]) => batch.get(key) !== one);
        show(new Map(left));
        void queries.invalidateQueries({ queryKey: ["resources"] });
        void queries.invalidateQueries({ queryKey: navigationQuery.queryKey });
      });
  }, [queries, show]);
  // What was clicked is sent if the page closes within a burst.
  useEffect(() => send, [send]);

  const want = (changes: readonly Wanted[], delay: number) => {
    setFailure(undefined);
    const next = new Map(wanted.current);
    for (const change of changes) {
      const key = methodKey(change.id, change.method);
      next.set(key, change);
      waiting.current.set(key, change);
    }
    show(next);
    clearTimeout(timer.current);
    if (delay === 0) send();
    else timer.current = setTimeout(send, delay);
  };
  const isExposed = ({ id, exposedMethods }: ResourceEntry, method: Method) =>
    wanted.current.get(methodKey(id, method))?.isExposed ?? exposedMethods.includes(method);
  return {
    ...{ failure, pending },
    methodsOf: (resource) =>
      actionMethods
        .map(({ method }) => method)
        .filter(
          (method) =>
            pending.get(methodKey(resource.id, method))?.isExposed ??
            resource.exposedMethods.includes(method),
        ),
    toggle: (resource, method) =>
      want([{ id: resource.id, method, isExposed: !isExposed(resource, method) }], burst),
    set: (resources, methods) => {
      const changes = resources.flatMap((resource) =>
        actionMethods.flatMap(({ method }) => {
          const to = methods[method];
          const isPossible = resource.kind === "TABLE" || method === "GET" || to === false;
          return to === undefined || !isPossible || isExposed(resource, method) === to
            ? []
            : [{ id: resource.id, method, isExposed: to }];
        }),
      );
      if (changes.length > 0) want(changes, 0);
    },
  };
}

/** The body of the request that stores the wanted methods of each resource. */
function updatesOf(present: readonly ResourceEntry[], batch: ReadonlyMap<string, Wanted>) {
  const ids = new Set([...batch.values()].map(({ id }) => id));
  return present
    .filter(({ id }) => ids.has(id))
    .map(({ id, exposedMethods }) => ({
      id,
      exposedMethods: actionMethods
        .map(({ method }) => method)
        .filter(
          (method) =>
            batch.get(methodKey(id, method))?.isExposed ?? exposedMethods.includes(method),
        ),
    }));
}
