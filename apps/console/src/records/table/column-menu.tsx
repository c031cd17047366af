import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { personQuery } from "../../shell/navigation.ts";
import {
  ArrowDown,
  ArrowDownNarrowWide,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  EyeOff,
  Group,
  MoveHorizontal,
  Pin,
  PinOff,
  Table2,
} from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { type GridColumn, widthBounds } from "../grid/grid-column.ts";
import { kindOf, titleOf } from "../model/resource.ts";
import { moveName, orderOf, sortOf } from "./rows-search.ts";
import type { TableView } from "./table-view.ts";

const widthStep = 40;

/** What one can do with a column of the grid. */
export function ColumnMenu({
  item,
  view,
  beside,
  onClose,
}: {
  readonly item: GridColumn;
  readonly view: TableView;
  readonly beside: Element;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  const place = useRef<Element | null>(beside);
  const navigate = useNavigate();
  const { data: person } = useQuery(personQuery);
  const { name } = item;
  const { groupBy, resource } = view;
  const parts = [resource.schema, kindOf(resource), resource.name].map(encodeURIComponent);
  const structure = `/admin/structure/${parts.join("/")}`;
  const sort = sortOf(view.orderBy);
  const names = view.columns.map((column) => column.name);
  const sortBy = (isDescending: boolean, isAdditional: boolean) =>
    view.setOrder(
      orderOf([
        ...(isAdditional ? sort.filter((term) => term.name !== name) : []),
        { name, isDescending },
      ]),
    );
  const widen = (by: number) =>
    view.setWidth(name, Math.max(widthBounds.min, Math.min(widthBounds.max, item.width + by)));
  const pinned = view.columns.filter(({ isPinned }) => isPinned).map((column) => column.name);
  return (
    <OpenMenu
      label={titleOf(item.column)}
      beside={place}
      onClose={onClose}
      groups={[
        ...(item.fault === undefined
          ? []
          : [
              {
                id: "fault",
                title: item.fault,
                entries: [
                  {
                    id: "hide-fault",
                    label: t("hideColumn"),
                    icon: EyeOff,
                    isDisabled: names.length === 1,
                    onPress: () => view.setColumns(names.filter((one) => one !== name)),
                  },
                  ...(person?.isAdministrator === true
                    ? [
                        {
                          id: "structure",
                          label: t("openStructure"),
                          icon: Table2,
                          onPress: () => void navigate({ href: structure }),
                        },
                      ]
                    : []),
                ],
              },
            ]),
        {
          id: "sort",
          entries: [
            {
              id: "ascending",
              label: t("sortAscending"),
              icon: ArrowUp,
              onPress: () => sortBy(false, false),
            },
            {
              id: "descending",
              label: t("sortDescending"),
              icon: ArrowDown,
              onPress: () => sortBy(true, false),
            },
            ...(sort.length > 0
              ? [
                  {
                    id: "also",
                    label: t("sortAlso"),
                    icon: ArrowDownNarrowWide,
                    onPress: () => sortBy(false, true),
                  },
                ]
              : []),
            ...(groupBy === null
              ? []
              : [
                  { id: "group", label: t("groupBy"), icon: Group, onPress: () => groupBy([name]) },
                ]),
          ],
        },
        {
          id: "place",
          entries: [
            item.isPinned
              ? {
                  id: "unpin",
                  label: t("unpin"),
                  icon: PinOff,
                  onPress: () => view.setPinned(pinned.filter((one) => one !== name)),
                }
              : {
                  id: "pin",
                  label: t("pin"),
                  icon: Pin,
                  onPress: () => view.setPinned([...pinned, name]),
                },
            {
              id: "left",
              label: t("moveLeft"),
              icon: ArrowLeft,
              onPress: () => view.setColumns(moveName(names, name, -1)),
            },
            {
              id: "right",
              label: t("moveRight"),
              icon: ArrowRight,
              onPress: () => view.setColumns(moveName(names, name, 1)),
            },
            {
              id: "wider",
              label: t("wider"),
              icon: MoveHorizontal,
              onPress: () => widen(widthStep),
            },
            {
              id: "narrower",
              label: t("narrower"),
              icon: MoveHorizontal,
              onPress: () => widen(-widthStep),
            },
            {
              id: "hide",
              label: t("hide"),
              icon: EyeOff,
              isDisabled: names.length === 1,
              onPress: () => view.setColumns(names.filter((one) => one !== name)),
            },
          ],
        },
      ]}
    />
  );
}
