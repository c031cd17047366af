import { wordsOfName } from "@rowhouse/access/written-name";
import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { linkClasses } from "../ui/classes.ts";
import type { LogEntry, LoggedAction } from "./audit-search.ts";
import { targetPath } from "./target-path.ts";

type T = ReturnType<typeof useTranslations<"audit">>;
type Kind = keyof typeof import("../words/en/administration/audit.ts")["audit"]["kinds"];

const fieldsMax = 3;

/** Reads a name of the service as words: `rowFilter`, `roll_back`. */
function asWords(name: string): string {
  return wordsOfName(name.replaceAll(".", " ")).toLowerCase();
}

function actionKey(t: T, action: string) {
  const key = `actions.${action}` as "actions.role.create";
  return t.has(key) ? key : undefined;
}

/** The nouns of an entry's target. The action is more exact than the target: `table.drop` of a resource. */
function kindOf(t: T, action: string, targetKind: string): Kind | undefined {
  const [subject = ""] = action.split(".", 1);
  const found = [subject, targetKind].find((kind) => t.has(`kinds.${kind as Kind}.any`));
  return found as Kind | undefined;
}

/** Returns what people call an action without an actor: "created a role". */
export function useActionName() {
  const t = useTranslations("audit");
  return (action: LoggedAction): string => {
    const [subject = ""] = action.split(".", 1);
    const kind = kindOf(t, action, subject === "mail" || subject === "permission" ? "user" : "");
    const noun = kind === undefined ? "" : t(`kinds.${kind === "role_member" ? "user" : kind}.any`);
    return t
      .markup(actionKey(t, action) ?? "actions.role.create", {
        actor: () => "",
        target: () => noun,
        parent: () => t("kinds.role.any"),
        fields: () => "",
        count: 0,
      })
      .trim();
  };
}

/** Returns the sentence of an entry: who did what, with the names of now. The target leads to its page. */
export function useSentence(): (entry: LogEntry) => ReactNode {
  const t = useTranslations("audit");
  const format = useFormatter();
  const settings = useTranslations("settingNames");
  const ofKinds = useTranslations("recordFields");
  const strong = (name: string | null) => <bdi className="font-medium">{name}</bdi>;
  const fieldName = (field: string, action: string): string => {
    if (action === "settings.update") {
      const title = `${field}.title` as "data.max_limit.title";
      return settings.has(title) ? settings(title) : field;
    }
    const own = `${action.split(".", 1)[0]}.${field}.changed` as "role.name.changed";
    if (ofKinds.has(own)) return ofKinds(own);
    const key = `fields.${field as "name"}` as const;
    return /^\w+$/.test(field) && t.has(key) ? t(key) : asWords(field);
  };
  return (entry) => {
    const { action, targetKind, names, changedFields, outcome } = entry;
    const isFailedSignIn = action === "session.create" && outcome === "FAILED";
    const failed = names.target === null ? "failedUnknownSignIn" : "failedSignIn";
    const key = isFailedSignIn ? failed : (actionKey(t, action) ?? "unknown");
    const count = key === "unknown" ? 0 : changedFields.length;
    const more = count - fieldsMax;
    const shown = changedFields.slice(0, fieldsMax).map((field) => fieldName(field, action));
    if (more > 0) shown.push(t("moreFields", { count: more }));
    return t.rich(key, {
      actor: () => actorOf(entry, t, strong),
      target: () => targetOf(entry, t),
      parent: () =>
        names.parent === null
          ? t("kinds.role.gone")
          : t.rich("kinds.role.named", { name: () => strong(names.parent) }),
      fields: () => format.list(shown),
      count,
      action: asWords(action.slice(action.indexOf(".") + 1)) || targetKind,
    });
  };
}

function actorOf(entry: LogEntry, t: T, strong: (name: string | null) => ReactNode): ReactNode {
  const { actorUserId, actorTokenId, names } = entry;
  if (actorUserId === null) return t("service");
  const name = names.actor === null ? t("deletedPerson") : strong(names.actor);
  if (actorTokenId === null) return name;
  return t.rich("byToken", {
    name: () => name,
    token: () => (names.token === null ? t("deletedToken") : strong(names.token)),
  });
}

/** What the target is called: a link to its page if it has one. */
function targetOf(entry: LogEntry, t: T): ReactNode {
  const { action, targetKind, names } = entry;
  const kind = kindOf(t, action, targetKind);
  const href = targetPath(entry);
  const link = (text: string) =>
    href === undefined ? (
      <bdi className="font-medium">{text}</bdi>
    ) : (
      <AppLink href={href} className={`${linkClasses} font-medium`}>
        <bdi>{text}</bdi>
      </AppLink>
    );
  const name = targetKind === "run" ? names.parent : targetNameOf(entry, t);
  if (kind === undefined) return name === null ? asWords(targetKind) : link(name);
  if (name !== null) return t.rich(`kinds.${kind}.named`, { name: () => link(name) });
  // What an action deletes was not deleted before.
  return t(`kinds.${kind}.${/\.(?:delete|drop|end|create)$/.test(action) ? "any" : "gone"}`);
}

function targetNameOf({ targetKind, names }: LogEntry, t: T): string | null {
  const { target, parent, action } = names;
  if (targetKind !== "grant" || target === null || action === null) return target;
  return t("grantName", {
    role: parent ?? t("kinds.role.gone"),
    action: t(`grantActions.${action}`),
    table: target,
  });
}
