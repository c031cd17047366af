import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import {
  BookOpen,
  Check,
  Copy,
  Eye,
  Lock,
  Pencil,
  Trash2,
  User,
} from "../../ui/icons.generated.ts";
import { type MenuEntry, type MenuGroup, OpenMenu } from "../../ui/menu.tsx";
import { grantPath, newGrantPath } from "../model/access-paths.ts";
import { type GrantTerms, rowFilterOf, settingOf } from "../model/grant-draft.ts";
import type { Action, Grant, Method, Role } from "../model/grant-queries.ts";
import { grantKey } from "../model/grant-queries.ts";
import { allTerms, ownersOf, ownersQuery, ownTerms } from "../model/owner-columns.ts";
import type { ExposureChanges } from "../model/use-exposure.ts";
import type { SetGrant } from "../model/use-grant-changes.ts";
import type { GrantIndex } from "./cell-mark.tsx";

/** The cell or the head that a menu belongs to. */
export type MenuTarget =
  | { readonly kind: "METHOD"; readonly method: Method; readonly resource: ResourceEntry | null }
  | {
      readonly kind: "GRANT";
      readonly action: Action;
      readonly role: Role;
      /** Null for the head, which means all shown rows. */
      readonly resource: ResourceEntry | null;
    };

interface MatrixMenuProps {
  readonly target: MenuTarget;
  readonly anchor: Element;
  /** The shown rows. */
  readonly resources: readonly ResourceEntry[];
  readonly grants: GrantIndex;
  readonly exposure: ExposureChanges;
  readonly onSet: (settings: readonly SetGrant[]) => void;
  readonly onCopy: (grant: Grant) => void;
  readonly onRevoke: (grants: readonly Grant[]) => void;
  readonly onClose: () => void;
}

/** The menu of a cell or of a head: what can be set there at once. */
export function MatrixMenu(props: MatrixMenuProps) {
  const { target, anchor, onClose } = props;
  const t = useTranslations("access");
  const name = target.resource === null ? t("bulk.allShown") : resourceName(target.resource);
  const what = target.kind === "METHOD" ? target.method : t(`matrix.head.${target.action}`);
  return (
    <OpenMenu
      label={`${name} · ${target.kind === "GRANT" ? `${target.role.name} · ` : ""}${what}`}
      groups={useGroups(props)}
      beside={{ current: anchor }}
      onClose={onClose}
    />
  );
}

function useGroups(props: MatrixMenuProps): readonly MenuGroup[] {
  const { target } = props;
  const t = useTranslations("access");
  const open = useOpen();
  const { data: owners } = useQuery(ownersQuery);
  if (target.kind === "METHOD") return methodGroups(props, target, t);
  const cell = { ...target, t, owners, open };
  return target.resource === null
    ? headGroups(props, cell)
    : cellGroups(props, cell, target.resource);
}

type Words = ReturnType<typeof useTranslations<"access">>;

/** What the head of a method sets for all shown rows, or its cell for one. */
function methodGroups(
  { resources, exposure }: MatrixMenuProps,
  { method, resource }: Extract<MenuTarget, { readonly kind: "METHOD" }>,
  t: Words,
): readonly MenuGroup[] {
  const rows = resource === null ? resources : [resource];
  const count = rows.length;
  const one: MenuGroup = {
    id: "method",
    entries: [
      {
        id: "expose",
        label: t("bulk.expose", { method, count }),
        icon: Eye,
        onPress: () => exposure.set(rows, { [method]: true }),
      },
      {
        id: "hide",
        label: t("bulk.hideMethod", { method, count }),
        icon: Lock,
        onPress: () => exposure.set(rows, { [method]: false }),
      },
    ],
  };
  if (resource === null) return [one];
  const entries = exposureSteps.map(({ id, methods, Icon }) => ({
    id,
    label: t(`bulk.${id}`),
    icon: Icon,
    onPress: () => exposure.set(rows, methods),
  }));
  return [one, { id: "exposure", title: t("matrix.exposure"), entries }];
}

/** How far resources are exposed, in the steps that the selection and the menus offer. */
export const exposureSteps = [
  {
    id: "reading",
    Icon: BookOpen,
    methods: { GET: true, POST: false, PATCH: false, DELETE: false },
  },
  { id: "writing", Icon: Pencil, methods: { GET: true, POST: true, PATCH: true, DELETE: true } },
  { id: "hidden", Icon: Lock, methods: { GET: false, POST: false, PATCH: false, DELETE: false } },
] as const;

interface Cell {
  readonly action: Action;
  readonly role: Role;
  readonly t: Words;
  /** Undefined while they load. */
  readonly owners: Parameters<typeof ownersOf>[0];
  readonly open: (href: string) => void;
}

function termsSetting({ action, role }: Cell, resource: ResourceEntry, terms: GrantTerms) {
  return settingOf({ roleId: role.id, resourceId: resource.id, action, ...terms });
}

/** What the cell of a grant offers: to set, to copy, to open and to revoke it. */
function cellGroups(
  props: MatrixMenuProps,
  cell: Cell,
  resource: ResourceEntry,
): readonly MenuGroup[] {
  const { action, role, t, owners } = cell;
  const grant = props.grants.get(grantKey(resource.id, role.id, action));
  const given = { role: role.id, resource: resource.id, action };
  const possible = ownersOf(owners, resource);
  const isImpossible = resource.kind === "VIEW" && action !== "READ";
  const set = (terms: GrantTerms) => () => props.onSet([termsSetting(cell, resource, terms)]);
  const seen = seenFilter(props.grants, cell, resource);
  const alike: readonly MenuEntry[] =
    seen === null
      ? []
      : [
          {
            id: "alike",
            label: t("alike.menu"),
            icon: Eye,
            onPress: set({ ...allTerms, rowFilter: seen }),
          },
        ];
  const own: readonly MenuEntry[] =
    possible.length === 0
      ? [
          {
            id: "own",
            label: t(`menu.own.${action}`),
            icon: User,
            isDisabled: true,
            hint: owners === undefined ? undefined : t("menu.noOwner"),
            onPress: () => {},
          },
        ]
      : possible.map((owner) => ({
          id: `own ${owner.column}`,
          label: t(`menu.own.${action}`),
          icon: User,
          isDisabled: isImpossible,
          hint: <span dir="auto">{owner.column}</span>,
          onPress: set(ownTerms(action, owner)),
        }));
  return [
    {
      id: "set",
      entries: [
        ...alike,
        {
          id: "all",
          label: t(`menu.all.${action}`),
          icon: Check,
          isDisabled: isImpossible,
          hint: seen === null ? undefined : t("alike.menuAll"),
          onPress: set(allTerms),
        },
        ...own,
      ],
    },
    {
      id: "open",
      entries: [
        {
          id: "open",
          label: t(grant === undefined ? "menu.custom" : "menu.open"),
          icon: Pencil,
          isDisabled: isImpossible,
          onPress: () => cell.open(grant === undefined ? newGrantPath(given) : grantPath(grant.id)),
        },
        ...(grant === undefined
          ? []
          : [
              {
                id: "copy",
                label: t("menu.copy"),
                icon: Copy,
                onPress: () => props.onCopy(grant),
              },
            ]),
      ],
    },
    ...(grant === undefined
      ? []
      : [
          {
            id: "revoke",
            entries: [
              {
                id: "revoke",
                label: t("menu.revoke"),
                icon: Trash2,
                isDangerous: true,
                onPress: () => props.onRevoke([grant]),
              },
            ],
          },
        ]),
  ];
}

/** The filter of the rows that a role reads, for an action that would reach others; null without one. */
function seenFilter(
  grants: GrantIndex,
  { action, role }: Pick<Cell, "action" | "role">,
  { id }: ResourceEntry,
) {
  const read = grants.get(grantKey(id, role.id, "READ"));
  return read === undefined || (action !== "UPDATE" && action !== "DELETE")
    ? null
    : rowFilterOf(read);
}

/** What the head of an action offers: to grant it for all shown rows without a grant, and to revoke it. */
function headGroups(props: MatrixMenuProps, cell: Cell): readonly MenuGroup[] {
  const { action, role, t } = cell;
  const grantOf = ({ id }: ResourceEntry) => props.grants.get(grantKey(id, role.id, action));
  const free = props.resources.filter(
    (one) => grantOf(one) === undefined && (one.kind === "TABLE" || action === "READ"),
  );
  const present = props.resources.flatMap((one) => grantOf(one) ?? []);
  const owned = free.flatMap((one) => {
    const [owner, ...others] = ownersOf(cell.owners, one);
    return owner === undefined || others.length > 0
      ? []
      : [termsSetting(cell, one, ownTerms(action, owner))];
  });
  const isFiltered = free.some((one) => seenFilter(props.grants, cell, one) !== null);
  const alike = free.map((one) =>
    termsSetting(cell, one, { ...allTerms, rowFilter: seenFilter(props.grants, cell, one) }),
  );
  return [
    {
      id: "set",
      title: t("bulk.headHint"),
      entries: [
        ...(isFiltered
          ? [
              {
                id: "alike",
                label: t("alike.menu"),
                icon: Eye,
                hint: t("bulk.tables", { count: free.length }),
                onPress: () => props.onSet(alike),
              },
            ]
          : []),
        {
          id: "all",
          label: t(`menu.all.${action}`),
          icon: Check,
          isDisabled: free.length === 0,
          hint: t("bulk.tables", { count: free.length }),
          onPress: () => props.onSet(free.map((one) => termsSetting(cell, one, allTerms))),
        },
        {
          id: "own",
          label: t(`menu.own.${action}`),
          icon: User,
          isDisabled: owned.length === 0,
          hint: t("bulk.tables", { count: owned.length }),
          onPress: () => props.onSet(owned),
        },
      ],
    },
    {
      id: "revoke",
      entries: [
        {
          id: "revoke",
          label: t("menu.revoke"),
          icon: Trash2,
          isDangerous: true,
          isDisabled: present.length === 0,
          hint: t("bulk.tables", { count: present.length }),
          onPress: () => props.onRevoke(present),
        },
      ],
    },
  ];
}
