import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { classes } from "../ui/classes.ts";
import { Select } from "../ui/select.tsx";
import { useSettingNames } from "./use-setting-names.ts";

interface SectionListProps {
  readonly groups: readonly string[];
  readonly chosen: string | undefined;
  readonly hrefOf: (group: string) => string;
  readonly onChoose: (group: string) => void;
}

/** The groups of the settings, beside them; where there is no room, a choice above them. */
export function SectionList({ groups, chosen, hrefOf, onChoose }: SectionListProps) {
  const t = useTranslations("settings");
  const { groupName } = useSettingNames();
  const current = chosen ?? groups[0];
  return (
    <>
      <div className="lg:hidden">
        <Select
          label={t("section")}
          value={current ?? ""}
          options={groups.map((value) => ({ value, label: groupName(value) }))}
          onChange={onChoose}
        />
      </div>
      <nav aria-label={t("sections")} className="sticky top-4 max-lg:hidden">
        <ul className="grid gap-0.5">
          {groups.map((group) => (
            <li key={group}>
              <AppLink
                href={hrefOf(group)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                  // The router would scroll to the top.
                  event.preventDefault();
                  onChoose(group);
                }}
                aria-current={group === current ? "true" : undefined}
                className={classes(
                  "block rounded-control px-2.5 py-1 hover:bg-sunken",
                  group === current ? "bg-accent-soft text-ink" : "text-ink-2",
                )}
              >
                {groupName(group)}
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
