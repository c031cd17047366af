import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type ResourceEntry, resourcesQuery } from "../../shell/resource-queries.ts";
import type { Method } from "../access-queries.ts";

/** Changes the exposure of resources in place. */
export interface Exposure {
  /** Why the last change failed. */
  readonly error: unknown;
  readonly toggle: (resource: ResourceEntry, method: Method) => void;
}

/**
 * Exposes or hides a method of a resource. The methods that another administrator changes meanwhile stay as they are:
 * each change begins with the present ones. Changes run one after the other.
 */
export function useExposure(): Exposure {
  const queries = useQueryClient();
  const last = useRef<Promise<void>>(Promise.resolve());
  const [error, setError] = useState<unknown>();
  const show = (id: string, exposedMethods: readonly Method[]) =>
    queries.setQueryData(resourcesQuery.queryKey, (all) =>
      all?.map((one) => (one.id === id ? { ...one, exposedMethods: [...exposedMethods] } : one)),
    );
  const write = async (id: string, method: Method, isExposed: boolean): Promise<void> => {
    const { data } = await client.admin.get("/resources/{id}", { path: { id } });
    const exposedMethods = withMethod(data.exposedMethods, method, isExposed);
    await client.admin.patch("/resources/{id}", { path: { id }, data: { exposedMethods } });
    await queries.invalidateQueries({ queryKey: navigationQuery.queryKey });
  };
  return {
    error,
    toggle: ({ id, exposedMethods }, method) => {
      const isExposed = !exposedMethods.includes(method);
      setError(undefined);
      show(id, withMethod(exposedMethods, method, isExposed));
      last.current = last.current
        .then(() => write(id, method, isExposed))
        .catch(setError)
        .then(() => queries.invalidateQueries({ queryKey: ["resources"] }));
    },
  };
}

function withMethod(methods: readonly Method[], method: Method, isExposed: boolean): Method[] {
  const others = methods.filter((one) => one !== method);
  return isExposed ? [...others, method] : others;
}
