import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { ManagedMark } from "../../shell/managed.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { readingIcon } from "../../shell/reading-icons.ts";
import { resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Copy, Trash2 } from "../../ui/icons.generated.ts";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { managedReading, type ReadingApi, type ReadingEntry } from "./reading-api.ts";

interface ReadingTableProps {
  readonly api: ReadingApi;
  readonly entries: readonly ReadingEntry[];
  readonly mayMove: boolean;
  readonly onMove: (entry: ReadingEntry, by: number) => void;
  readonly onDuplicate: (entry: ReadingEntry) => void;
  readonly onDelete: (entry: ReadingEntry) => void;
}

/** DataViews or dashboards with their roles, their order, and what can be done with each. */
export function ReadingTable(props: ReadingTableProps) {
  const { api, entries } = props;
  const t = useTranslations("readings");
  const words = useTranslations("manage");
  const format = useFormatter();
  const { data: roles } = useQuery(rolesQuery);
  const { data: resources } = useQuery(resourcesQuery);
  const columns: ListColumn<ReadingEntry>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name, icon, lost }) => {
        const Icon = readingIcon(icon, api.kind);
        return (
          <span className="flex min-w-0 items-center gap-2">
            <Icon size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
            <NameLink
              href={`${api.path}/${id}`}
              name={name}
              mark={
                <>
                  <ManagedMark {...managedReading(api, name)} />
                  {lost.length > 0 && (
                    <span className="shrink-0 text-2 text-danger">{t("lostMark")}</span>
                  )}
                </>
              }
            />
          </span>
        );
      },
    },
    {
      key: "content",
      label: t(`${api.kind}.content`),
      cell: ({ resourceId, panelCount }) => {
        if (api.kind === "dashboard") return format.number(panelCount ?? 0);
        const resource = resources?.find(({ id }) => id === resourceId);
        return resource === undefined ? (
          <span className="text-ink-3">{resources === undefined ? "" : t("dropped")}</span>
        ) : (
          <span dir="auto">{resource.label ?? resourceName(resource)}</span>
        );
      },
    },
    {
      key: "roles",
      label: t("roles"),
      cell: ({ roleIds }) => {
        const names = roleIds.map((id) => roles?.find((role) => role.id === id)?.name ?? "…");
        return names.length === 0 ? (
          <span className="text-ink-3">{t("administratorsOnly")}</span>
        ) : (
          <span dir="auto" title={names.join(", ")}>
            {names.join(", ")}
          </span>
        );
      },
    },
    {
      key: "order",
      label: t("order"),
      width: "w-24",
      cell: (entry) => <Order {...props} entry={entry} />,
    },
    {
      key: "actions",
      label: words("actions"),
      width: "w-24",
      cell: (entry) => (
        <span className="flex">
          <IconButton
            label={t("duplicate", { name: entry.name })}
            icon={Copy}
            // A copy would give the filter another meaning without a look at it.
            isDisabled={entry.lost.length > 0}
            onPress={() => props.onDuplicate(entry)}
          />
          <IconButton
            label={t("delete", { name: entry.name })}
            icon={Trash2}
            onPress={() => props.onDelete(entry)}
          />
        </span>
      ),
    },
  ];
  return (
    <ListTable
      label={t(`${api.kind}.title`)}
      items={entries}
      columns={columns}
      keyOf={({ id }) => id}
    />
  );
}

/** Moves an entry by a press, or by the arrow keys on one of its buttons. */
function Order(props: ReadingTableProps & { readonly entry: ReadingEntry }) {
  const { entry, entries, mayMove, onMove } = props;
  const t = useTranslations("readings");
  const place = useRef<HTMLFieldSetElement>(null);
  const pressed = useRef<number>(null);
  const index = entries.indexOf(entry);
  // The row moves in the document, which takes the focus away; at an end, the other button receives it.
  useEffect(() => {
    const [up, down] = place.current?.querySelectorAll("button") ?? [];
    if (!mayMove || pressed.current === null || up === undefined || down === undefined) return;
    const wanted = pressed.current < 0 ? up : down;
    (wanted.disabled ? (wanted === up ? down : up) : wanted).focus();
    pressed.current = null;
  }, [mayMove]);
  const move = (by: number): void => {
    if (!mayMove || entries[index + by] === undefined) return;
    pressed.current = by;
    onMove(entry, by);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    move(by);
  };
  return (
    <fieldset
      ref={place}
      aria-label={t("orderOf", { name: entry.name })}
      onKeyDown={onKeyDown}
      className="flex"
    >
      <IconButton
        label={t("moveUp", { name: entry.name })}
        icon={ArrowUp}
        isDisabled={!mayMove || index === 0}
        onPress={() => move(-1)}
      />
      <IconButton
        label={t("moveDown", { name: entry.name })}
        icon={ArrowDown}
        isDisabled={!mayMove || index === entries.length - 1}
        onPress={() => move(1)}
      />
    </fieldset>
  );
}
