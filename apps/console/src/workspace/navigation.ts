import { queryOptions } from "@tanstack/react-query";
import { read } from "../shell/query.ts";

/** A table or view that the person may use. */
export interface NavigationResource {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly label: string | null;
  readonly path: string;
  readonly actions: readonly ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
}

interface NamedEntry {
  readonly id: string;
  readonly name: string;
}

/** What the person may open. */
export interface Navigation {
  readonly resources: readonly NavigationResource[];
  readonly dataViews: readonly NamedEntry[];
  readonly dashboards: readonly NamedEntry[];
}

/** The person of the session. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

/** `GET /app/api/navigation`. */
export const navigationQuery = queryOptions({
  queryKey: ["navigation"],
  queryFn: ({ signal }) => read<Navigation>("/app/api/navigation", signal),
});

/** `GET /app/api/me`. */
export const personQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => read<Person>("/app/api/me", signal),
});
