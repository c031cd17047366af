import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { linkClasses } from "../ui/classes.ts";
import { StateBadge } from "../ui/entries.tsx";

/** More are on the page that mends them. */
const shownMax = 5;

interface ConcernProps {
  readonly title: string;
  readonly text: string;
  readonly entries: readonly {
    readonly key: string;
    readonly name: ReactNode;
    /** Beside the name, in a line with it. */
    readonly detail?: ReactNode;
    /** Below the name. */
    readonly text?: ReactNode;
    /** The page that mends it. */
    readonly href?: string;
  }[];
  /** Whether the entries are the ways to mend one thing, and their number says nothing. */
  readonly areWays?: boolean;
}

/** Something that needs a hand, if it has entries. */
export function Concern(props: ConcernProps) {
  return props.entries.length === 0 ? null : <Note {...props} />;
}

/** Something that needs a hand: why, and each entry with the way to mend it. */
export function Note({ title, text, entries, areWays = false }: ConcernProps) {
  const t = useTranslations("overview");
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-2 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="font-semibold text-4">
          {title}
        </h2>
        {entries.length > 1 && !areWays && (
          <StateBadge look="warn">{t("count", { count: entries.length })}</StateBadge>
        )}
      </div>
      <p className="text-ink-2">{text}</p>
      {entries.length > 0 && (
        <ul className="grid gap-1.5">
          {entries.slice(0, shownMax).map(({ key, name, detail, text: below, href }) => (
            <li key={key} className="min-w-0">
              <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                {href === undefined ? (
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                ) : (
                  <AppLink href={href} className={`${linkClasses} min-w-0 wrap-anywhere`}>
                    {name}
                  </AppLink>
                )}
                {detail !== undefined && (
                  <span className="flex min-w-0 flex-wrap gap-x-3 text-2 text-ink-2 wrap-anywhere">
                    {detail}
                  </span>
                )}
              </div>
              {below !== undefined && <p className="text-2 text-ink-2 wrap-anywhere">{below}</p>}
            </li>
          ))}
        </ul>
      )}
      {entries.length > shownMax && (
        <p className="text-2 text-ink-2">{t("more", { count: entries.length - shownMax })}</p>
      )}
    </section>
  );
}
