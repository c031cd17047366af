import { CopyCurl } from "./copy-curl.tsx";

interface EntryListProps {
  readonly title: string;
  readonly entries: readonly { readonly id: string; readonly name: string }[];
  /** Path of the API that opens an entry by its id. */
  readonly path: string;
}

/** The DataViews or dashboards that the person may open. */
export function EntryList({ title, entries, path }: EntryListProps) {
  if (entries.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h2 className="text-4 font-semibold">{title}</h2>
      <ul className="rounded-panel border border-line bg-surface">
        {entries.map(({ id, name }) => (
          <li
            key={id}
            className="grid gap-x-4 border-line border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-2 sm:items-center"
          >
            <span className="truncate font-medium" title={name} dir="auto">
              {name}
            </span>
            <CopyCurl path={`${path}/${id}`} name={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
