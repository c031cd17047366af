import {
  type AnyRoute,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";

/** A page by the name of its component; its file is loaded when it is first opened. */
type PageFile<Name extends string> = {
  readonly [Each in Name]: () => Promise<{ readonly [Same in NoInfer<Each>]: () => void }>;
};

function lazyPage<Name extends string>(files: PageFile<Name>): RouteComponent {
  const [[name, file]] = Object.entries(files) as [[Name, PageFile<Name>[Name]]];
  return lazyRouteComponent(file, name) as RouteComponent;
}

/** The route of a page. */
export function page<Parent extends AnyRoute, const Path extends string, Name extends string>(
  parent: Parent,
  path: Path,
  file: PageFile<Name>,
) {
  return createRoute({ getParentRoute: () => parent, path, component: lazyPage(file) });
}

/** The route of a page whose address has parameters after `?`, with their reader. */
export function searchPage<
  Parent extends AnyRoute,
  const Path extends string,
  Search,
  Name extends string,
>(
  parent: Parent,
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  file: PageFile<Name>,
) {
  const component = lazyPage(file);
  return createRoute({ getParentRoute: () => parent, path, validateSearch, component });
}
