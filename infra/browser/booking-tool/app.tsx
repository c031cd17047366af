import { createClient, ExactNumber, type Fault, RowhouseError, readJson } from "@rowhouse/client";
import { type FormEvent, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { Resources } from "./resources.ts";

// A booking tool on an origin of its own, compiled with strict settings and the types of `rowhouse types`.

const client = createClient<Resources>({ url: import.meta.env.VITE_ROWHOUSE_URL });
const bookings = client.from("booking.bookings");
const rooms = client.from("booking.rooms");

type Booking = Resources["booking.bookings"]["Row"];
type NewBooking = Resources["booking.bookings"]["New"];
type Shown = { readonly row: Booking; readonly etag: string };

const inputs = ["room_id", "guest", "starts", "ends", "price", "number"] as const;

/** Returns the message of each field that a refusal names. */
function messagesOf(faults: readonly Fault[]): Readonly<Record<string, string>> {
  const placed = faults.flatMap(({ path = "", message, details }) => {
    const [, field] = /^\/data\/(\w+)$/.exec(path) ?? [];
    const fields = Array.isArray(details?.fields) ? details.fields.map(String) : [];
    return (field === undefined ? fields : [field]).map((name) => [name, message] as const);
  });
  return Object.fromEntries(placed);
}

function App() {
  const [isIn, setIn] = useState(false);
  const [said, say] = useState("");
  const signIn = async (form: FormData) => {
    const [email, password] = ["email", "password"].map((name) => String(form.get(name)));
    try {
      await client.auth.signIn({ email: email ?? "", password: password ?? "" });
      setIn(true);
    } catch (error) {
      say(error instanceof RowhouseError ? error.message : "Something failed");
    }
  };
  return (
    <main>
      <p role="status">{said}</p>
      {isIn ? (
        <Desk say={say} />
      ) : (
        <Form button="Sign in" names={["email", "password"]} send={signIn} />
      )}
    </main>
  );
}

function Form(props: {
  readonly button: string;
  readonly names: readonly string[];
  readonly send: (form: FormData) => Promise<void>;
  readonly messages?: Readonly<Record<string, string>>;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void props.send(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      {props.names.map((name) => (
        <label key={name}>
          {name}
          <input name={name} aria-invalid={props.messages?.[name] !== undefined} />
          <em data-field={name}>{props.messages?.[name]}</em>
        </label>
      ))}
      <button type="submit">{props.button}</button>
    </form>
  );
}

function Desk({ say }: { readonly say: (text: string) => void }) {
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({});
  const [current, setCurrent] = useState<Shown>();
  const guarded = async (work: () => Promise<string>) => {
    try {
      say(await work());
    } catch (error) {
      if (error instanceof RowhouseError) setMessages(messagesOf(error.faults));
      say(error instanceof RowhouseError ? `${error.code} ${error.message}` : String(error));
    }
  };
  const book = (form: FormData) =>
    guarded(async () => {
      setMessages({});
      const values = Object.fromEntries(inputs.map((name) => [name, String(form.get(name))]));
      const { row, etag = "" } = await bookings.create(values as NewBooking);
      setCurrent({ row, etag });
      return `Booked ${row.id}`;
    });
  const raise = ({ row, etag }: Shown) =>
    guarded(async () => {
      const price = String(Number(row.price) + 1);
      const next = await bookings.update(row.id, { price }, { ifMatch: etag });
      setCurrent({ row: next.row, etag: next.etag ?? "" });
      return `Price ${next.row.price}`;
    });
  const fill = () =>
    guarded(async () => {
      const days = Array.from({ length: 30 }, (_, day) => String(day + 1).padStart(2, "0"));
      await Promise.all(
        days.map((day) =>
          bookings.create({
            ...{ room_id: 2, guest: "Group", price: "10", number: `G${day}` },
            ...{ starts: `2026-04-${day}T10:00:00Z`, ends: `2026-04-${day}T11:00:00Z` },
          }),
        ),
      );
      return "Filled";
    });
  const enqueue = async () => {
    const notes = { weight: new ExactNumber("12345678901234567890.5") };
    const row: NewBooking = {
      ...{ room_id: 1, guest: "Offline", price: "5", number: "OFF", notes },
      ...{ starts: "2027-01-01T10:00:00Z", ends: "2027-01-01T11:00:00Z" },
    };
    localStorage.setItem("queue", JSON.stringify([{ idempotencyKey: "offline-1", row }]));
    say("Queued");
  };
  const flush = () =>
    guarded(async () => {
      const queue = readJson(localStorage.getItem("queue") ?? "[]") as {
        readonly idempotencyKey: string;
        readonly row: NewBooking;
      }[];
      for (const { idempotencyKey, row } of queue) await bookings.create(row, { idempotencyKey });
      return `Sent ${queue.length}`;
    });
  return (
    <>
      <Rooms />
      <Form button="Book" names={inputs} send={book} messages={messages} />
      {current !== undefined && (
        <button type="button" onClick={() => raise(current)}>
          Raise
        </button>
      )}
      <button type="button" onClick={fill}>
        Fill
      </button>
      <button type="button" onClick={enqueue}>
        Queue
      </button>
      <button type="button" onClick={flush}>
        Send queue
      </button>
      <Months />
      <Poll />
    </>
  );
}

function Rooms() {
  const [pictures, setPictures] = useState<
    readonly { readonly name: string; readonly url: string }[]
  >([]);
  useEffect(() => {
    const load = async () => {
      const { rows } = await rooms.list({ fields: ["name", "picture"], orderBy: ["id"] });
      const links = await client.files.links(rows.flatMap(({ picture }) => picture ?? []));
      setPictures(rows.flatMap(({ name }, at) => ({ name, url: links[at]?.url ?? "" })));
    };
    void load();
  }, []);
  return pictures.map(({ name, url }) => <img key={name} alt={name} src={url} />);
}

function Months() {
  const [months, setMonths] = useState<readonly (readonly [string, number, number])[]>([]);
  const load = async () => {
    const { rows } = await bookings.aggregate({
      aggregate: ["count"],
      groupBy: ["date_trunc(month,starts)"],
      labels: "local",
    });
    const counted = rows.map(async ({ starts_month, count }) => {
      const where = { starts: { _eq: `$PERIOD.${starts_month}` } } as const;
      const inside = await bookings.list({ where, limit: 0, count: "exact" });
      return [starts_month ?? "", count, inside.meta.count ?? -1] as const;
    });
    setMonths(await Promise.all(counted));
  };
  return (
    <>
      <button type="button" onClick={() => void load()}>
        Months
      </button>
      <ul>
        {months.map(([month, count, inside]) => (
          <li key={month}>{`${month}: ${count} = ${inside}`}</li>
        ))}
      </ul>
    </>
  );
}

function Poll() {
  const [seen, see] = useState<{ readonly etag: string | null; readonly text: string }>({
    ...{ etag: null, text: "" },
  });
  const poll = async () => {
    const page = await bookings.list({ fields: ["id", "price"], limit: 5, ifNoneMatch: seen.etag });
    const text = page.notModified ? "unchanged" : `${page.rows.length} rows`;
    see({ etag: page.etag ?? null, text });
  };
  return (
    <>
      <button type="button" onClick={() => void poll()}>
        Poll
      </button>
      <output>{seen.text}</output>
    </>
  );
}

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(<App />);
