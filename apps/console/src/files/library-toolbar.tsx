import { useTranslations } from "use-intl";
import { SearchField } from "../shell/search-field.tsx";
import { classes } from "../ui/classes.ts";
import { LayoutGrid, List } from "../ui/icons.generated.ts";
import { Select } from "../ui/select.tsx";
import { type FilesSearch, fileOrders } from "./files-search.ts";

const layouts = [
  { view: undefined, name: "grid", icon: LayoutGrid },
  { view: "list", name: "rows", icon: List },
] as const;

/** What the library shows: the search, the order, and pictures or a list. */
export function LibraryToolbar(props: {
  readonly search: FilesSearch;
  readonly onChange: (change: Partial<FilesSearch>) => void;
}) {
  const t = useTranslations("files");
  const { search, onChange } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <SearchField
        label={t("search")}
        placeholder={t("search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <span className="flex-1" />
      <Select
        label={t("sort")}
        value={search.order ?? "name"}
        options={fileOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
        onChange={(order) => onChange({ order: order === "name" ? undefined : order })}
      />
      <fieldset aria-label={t("layout")} className="flex gap-0.5">
        {layouts.map(({ view, name, icon: Icon }) => (
          <button
            key={name}
            type="button"
            aria-label={t(name)}
            title={t(name)}
            aria-pressed={search.view === view}
            onClick={() => onChange({ view })}
            className={classes(
              "grid size-7 place-items-center rounded-control",
              search.view === view
                ? "bg-accent-soft text-accent"
                : "text-ink-2 hover:bg-sunken hover:text-ink",
            )}
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        ))}
      </fieldset>
    </div>
  );
}
