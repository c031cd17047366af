import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import type { RowKey } from "../../records/model/resource.ts";
import type { PushRecord } from "../../records/panel/record-path.ts";
import { RelatedRows } from "../../records/panel/related-rows.tsx";
import { RowHistory } from "../../records/panel/row-history.tsx";
import type { GridRow } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { ChevronRight } from "../../ui/icons.generated.ts";

/** Lists that are open at first; each open one is a request. */
const openFirst = 4;

interface RelatedListsProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly rowKey: RowKey;
  readonly row: GridRow;
  readonly changes: RowChanges;
  readonly onPush: PushRecord;
}

/** The rows of other tables that refer to a record, and its history, each in a part that can be folded away. */
export function RelatedLists(props: RelatedListsProps) {
  const { resource, resources, rowKey, row, changes, onPush } = props;
  const t = useTranslations("record");
  const lists = resource.relations.filter(
    ({ foreignKey, columns }) => foreignKey === "TARGET" && columns !== null && columns.length > 0,
  );
  return (
    <div className="grid min-w-0 gap-3">
      {lists.map((relation, index) => (
        <Fold key={relation.name} title={relation.name} isOpenFirst={index < openFirst}>
          <RelatedRows row={row} relation={relation} resources={resources} onPush={onPush} />
        </Fold>
      ))}
      {resource.history && (
        <Fold title={t("history")} isOpenFirst={false}>
          <RowHistory resource={resource} rowKey={rowKey} row={row} changes={changes} />
        </Fold>
      )}
      {lists.length === 0 && !resource.history && (
        <p className="text-ink-2">{t("nothingRelated")}</p>
      )}
    </div>
  );
}

function Fold(props: {
  readonly title: string;
  readonly isOpenFirst: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(props.isOpenFirst);
  return (
    <section
      aria-labelledby={id}
      className="flex max-h-120 min-w-0 flex-col rounded-panel border border-line bg-surface"
    >
      <h2 className="shrink-0">
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-9 w-full min-w-0 items-center gap-1.5 rounded-panel px-3 text-left font-medium hover:bg-sunken"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classes("shrink-0 transition-transform duration-100", isOpen && "rotate-90")}
          />
          <span className="truncate" dir="auto" title={props.title}>
            {props.title}
          </span>
        </button>
      </h2>
      {isOpen && props.children}
    </section>
  );
}
