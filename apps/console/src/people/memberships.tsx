import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { FindBox, type Found } from "../shell/find-box.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** A person in a role. */
export interface Membership {
  readonly person: { readonly id: string; readonly name: string };
  readonly role: { readonly id: string; readonly name: string };
}

/** The API that writes memberships. */
export interface Memberships {
  /** Adds a person to a role, or returns `ASK` if that makes an administrator and is not confirmed yet. */
  add(membership: Membership, isConfirmed: boolean): Promise<"ADDED" | "ASK">;
  remove(membership: Membership): Promise<void>;
}

/** Writes memberships by the Admin API. */
const adminMemberships: Memberships = {
  add: async ({ person, role }, isConfirmed) => {
    const path = { id: role.id };
    const { data: now } = await client.admin.get("/roles/{id}", { path });
    if (now.isAdministrators && !isConfirmed) return "ASK";
    await client.admin.post("/roles/{id}/members", { path, data: { userId: person.id } });
    return "ADDED";
  },
  remove: async ({ person, role }) => {
    const path = { id: role.id, userId: person.id };
    await client.admin.delete("/roles/{id}/members/{userId}", { path });
  },
};

interface AddMembershipProps {
  readonly label: string;
  readonly submit: string;
  readonly findKey: readonly string[];
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** Ids of records that are not offered, such as the roles that the person has. */
  readonly without: readonly string[];
  readonly membershipOf: (found: Found) => Membership;
  /** The Admin API by default. */
  readonly by?: Memberships;
}

/** Adds a person to a role. Administrators can do everything, so their number grows only after a question. */
export function AddMembership(props: AddMembershipProps) {
  const t = useTranslations("people");
  const { by = adminMemberships } = props;
  const onChange = usePeopleChange();
  const [chosen, choose] = useState<Found>();
  const [added, setAdded] = useState<string>();
  const [isAsking, ask] = useState(false);
  const task = useTask(async () => {
    if (chosen === undefined) return;
    setAdded(undefined);
    try {
      const outcome = await by.add(props.membershipOf(chosen), isAsking);
      if (outcome === "ASK") {
        ask(true);
        return;
      }
    } finally {
      await onChange();
    }
    ask(false);
    choose(undefined);
    setAdded(chosen.label);
  }, []);
  const isMember = task.code === "CONFLICT" || task.code === "UNIQUE_VIOLATION";
  const failure = isMember ? t("memberAlready") : task.failure;
  const name = chosen === undefined ? "" : props.membershipOf(chosen).person.name;
  return (
    <form noValidate onSubmit={task.submit} className="grid gap-2">
      {failure !== undefined && !isAsking && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[0_1_20rem]">
          <FindBox
            label={props.label}
            chosen={chosen}
            onChoose={choose}
            findKey={props.findKey}
            find={props.find}
            without={props.without}
          />
        </div>
        <Button type="submit" isBusy={task.isBusy}>
          {props.submit}
        </Button>
      </div>
      <p role="status" className="text-2 text-ink-2 empty:hidden" dir="auto">
        {added === undefined ? "" : t("added", { name: added })}
      </p>
      {isAsking && (
        <ConfirmTask
          title={t("administratorTitle", { name })}
          confirm={t("administratorConfirm")}
          isHarmless
          failure={failure}
          task={task}
          onClose={() => ask(false)}
        >
          {t("administratorText")}
        </ConfirmTask>
      )}
    </form>
  );
}

/** Removes a person from a role, after a question. */
export function LeaveDialog(props: {
  readonly membership: Membership;
  /** The Admin API by default. */
  readonly by?: Memberships;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const onChange = usePeopleChange();
  const { membership, by = adminMemberships, onClose } = props;
  const { person, role } = membership;
  const task = useTask(async () => {
    await by.remove(membership).finally(onChange);
    onClose();
  }, []);
  const known = { NOT_FOUND: t("leftAlready"), CONFLICT: t("lastAdministrator") };
  const code = task.code === "NOT_FOUND" || task.code === "CONFLICT" ? task.code : undefined;
  const failure = code === undefined ? task.failure : known[code];
  return (
    <ConfirmTask
      title={t("leaveTitle", { name: person.name, role: role.name })}
      confirm={t("remove")}
      failure={failure}
      task={task}
      onClose={onClose}
    >
      {t("leaveText")}
    </ConfirmTask>
  );
}
