import { useId } from "react";
import { AppLink } from "../shell/app-link.tsx";
import type { HomeEntry } from "../shell/home-entries.ts";
import { PinButton } from "../shell/pin-button.tsx";

interface EntryListProps {
  readonly title: string;
  readonly entries: readonly HomeEntry[];
}

/** Things that the person may open, each with a button that pins it. */
export function EntryList({ title, entries }: EntryListProps) {
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-4 font-semibold">
        {title}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-2">
        {entries.map((entry) => (
          <EntryCard key={`${entry.kind} ${entry.id}`} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function EntryCard({ entry }: { readonly entry: HomeEntry }) {
  const { name, detail, icon: Icon, href } = entry;
  return (
    <li className="relative flex min-w-0 items-start gap-2.5 rounded-panel border border-line bg-surface py-2.5 pr-2 pl-3 hover:border-line-strong">
      <Icon size={16} aria-hidden="true" className="mt-1 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <AppLink
          href={href}
          title={name}
          dir="auto"
          // The whole card is the target of the link, below its button.
          className="block truncate py-0.5 font-medium underline-offset-2 after:absolute after:inset-0 hover:text-accent hover:underline"
        >
          {name}
        </AppLink>
        {detail !== "" && (
          <p dir="auto" title={detail} className="truncate text-2 text-ink-2">
            {detail}
          </p>
        )}
      </div>
      <span className="relative z-1">
        <PinButton entry={entry} name={name} />
      </span>
    </li>
  );
}
