// Written by `rowhouse types`. Run it again after a change of tables, exposure or grants.

/** The resources of one caller, for `createClient<Resources>`. */
export interface Resources {
  'yard."a.b""; export const y = 1; //"': YardABExportConstY1;
  "yard.cars": YardCars;
  "yard.log": YardLog;
  "yard.log!": YardLog2;
  "yard.parts": YardParts;
  "yard.people": YardPeople;
  "yard.prices": YardPrices;
  "yard.أجزاء": Yardأجزاء;
}

export interface YardABExportConstY1 {
  Kind: "table";
  Row: {
    /** `integer` */
    constructor: number;
    /** `text` */
    __proto__: string | null;
    /** `integer` */
    "x y": number;
  };
  New: {
    /** `integer` */
    constructor: number | string;
    /** `text` */
    __proto__?: string | null;
    /** `integer` */
    "x y": number | string;
  };
  Change: {
    /** `integer` */
    constructor?: number | string;
    /** `text` */
    __proto__?: string | null;
    /** `integer` */
    "x y"?: number | string;
  };
  Key: string | number | bigint;
  Relations: Record<never, never>;
}

/** Cars *\/ export const stolen = 1; /* */
export interface YardCars {
  Kind: "table";
  Row: {
    /** `bigint` */
    id: string;
    /** First line second line *\/ x `text` */
    plate: string;
    /** `numeric` */
    price: string;
    state: "NEW" | 'SOLD "as is"';
    /** `integer` */
    owner_id: number | null;
    /** `text[]` */
    tags: (string | null)[];
    /** `jsonb` */
    notes: unknown;
    /** `bytea` */
    photo: string | null;
  };
  New: {
    /** First line second line *\/ x `text` */
    plate: string;
    /** `numeric` */
    price: string | number | bigint;
    state?: "NEW" | 'SOLD "as is"';
    /** `integer` */
    owner_id?: number | string | null;
    /** `text[]` */
    tags?: (string | null)[] | string;
    /** `jsonb` */
    notes?: unknown;
    /** `bytea` */
    photo?: string | null;
  };
  Change: {
    /** First line second line *\/ x `text` */
    plate?: string;
    /** `numeric` */
    price?: string | number | bigint;
    state?: "NEW" | 'SOLD "as is"';
    /** `integer` */
    owner_id?: number | string | null;
    /** `text[]` */
    tags?: (string | null)[] | string;
    /** `jsonb` A document, or a change of its parts: `{"$set": {"seats": 5, "engine.kw": 90}, "$unset": ["color"]}`. `{"$value": …}` stores a document of this form */
    notes?: unknown;
    /** `bytea` */
    photo?: string | null;
  };
  Key: string | number | bigint;
  Relations: {
    owner: ["one", "yard.people"];
    parts: ["many", "yard.parts"];
  };
}

export interface YardLog {
  Kind: "table";
  Row: {
    /** `text` */
    line: string | null;
  };
  New: {
    /** `text` */
    line?: string | null;
  };
  Change: {
    /** `text` */
    line?: string | null;
  };
  Key: never;
  Relations: Record<never, never>;
}

export interface YardLog2 {
  Kind: "table";
  Row: {
    /** `text` */
    line: string | null;
  };
  New: {
    /** `text` */
    line?: string | null;
  };
  Change: {
    /** `text` */
    line?: string | null;
  };
  Key: never;
  Relations: Record<never, never>;
}

export interface YardParts {
  Kind: "table";
  Row: {
    /** `bigint` */
    car_id: string;
    /** `integer` */
    number: number;
  };
  New: {
    /** `bigint` */
    car_id: string | number | bigint;
    /** `integer` */
    number: number | string;
  };
  Change: {
    /** `bigint` */
    car_id?: string | number | bigint;
    /** `integer` */
    number?: number | string;
  };
  Key: [string | number | bigint, string | number | bigint];
  Relations: {
    car: ["one", "yard.cars"];
  };
}

export interface YardPeople {
  Kind: "table";
  Row: {
    /** `integer` */
    id: number;
    /** `text` */
    name: string;
    /** `text` */
    phone: string;
    /** `integer` */
    boss_id: number | null;
  };
  New: {
    /** `integer` */
    id: number | string;
    /** `text` */
    name: string;
    /** `text` */
    phone: string;
    /** `integer` */
    boss_id?: number | string | null;
  };
  Change: {
    /** `integer` */
    id?: number | string;
    /** `text` */
    name?: string;
    /** `text` */
    phone?: string;
    /** `integer` */
    boss_id?: number | string | null;
  };
  Key: string | number | bigint;
  Relations: {
    cars: ["many", "yard.cars"];
    boss: ["one", "yard.people"];
    people: ["many", "yard.people"];
  };
}

export interface YardPrices {
  Kind: "view";
  Row: {
    /** `text` */
    plate: string | null;
    /** `numeric` */
    price: string | null;
  };
  New: never;
  Change: never;
  Key: never;
  Relations: Record<never, never>;
}

export interface Yardأجزاء {
  Kind: "table";
  Row: {
    /** `uuid` */
    id: string;
  };
  New: {
    /** `uuid` */
    id: string;
  };
  Change: {
    /** `uuid` */
    id?: string;
  };
  Key: string;
  Relations: Record<never, never>;
}
