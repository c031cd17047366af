import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { linkClasses } from "../ui/link-classes.ts";

/** More are on the page that mends them. */
const shownMax = 5;

interface ConcernProps {
  readonly title: string;
  readonly text: string;
  readonly entries: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly detail?: ReactNode;
    /** The page that mends it. */
    readonly href?: string;
  }[];
}

/** Something that needs a hand: why, and each entry with the way to mend it. */
export function Concern({ title, text, entries }: ConcernProps) {
  const t = useTranslations("overview");
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-2 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="font-semibold text-4">
          {title}
        </h2>
        <StateBadge look="warn">{t("count", { count: entries.length })}</StateBadge>
      </div>
      <p className="text-ink-2">{text}</p>
      <ul className="grid gap-1">
        {entries.slice(0, shownMax).map(({ key, name, detail, href }) => (
          <li key={key} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
            {href === undefined ? (
              <span className="min-w-0 wrap-anywhere">{name}</span>
            ) : (
              <AppLink href={href} className={`${linkClasses} min-w-0 wrap-anywhere`}>
                {name}
              </AppLink>
            )}
            {detail !== undefined && (
              <span className="text-2 text-ink-2 wrap-anywhere">{detail}</span>
            )}
          </li>
        ))}
      </ul>
      {entries.length > shownMax && (
        <p className="text-2 text-ink-2">{t("more", { count: entries.length - shownMax })}</p>
      )}
    </section>
  );
}
