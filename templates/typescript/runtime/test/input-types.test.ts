import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import type { JsonObject, JsonValue } from "../src/runtime/codec/json.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import { toJson } from "../src/runtime/codec/to-json.ts";
import type {
  ByteArray,
  Case,
  Input,
  OpenEnum,
  TimestampText,
} from "../src/runtime/codec/values.ts";
import { decisionOf } from "../src/runtime/pause-decision.ts";

interface Leaf {
  cents: bigint;
  note?: string;
}

interface Tree {
  text: string;
  raw: ByteArray;
  state: OpenEnum<"STATE_A" | "STATE_B">;
  at?: TimestampText;
  leaf?: Leaf;
  leaves: Leaf[];
  counts: Record<string, bigint>;
  byName: Record<string, Leaf>;
  choice?: Case<"leaf", Leaf> | Case<"number", bigint>;
  struct?: JsonObject;
  value?: JsonValue;
  below: Tree[];
}

interface Text {
  words: string[];
}

/** A message with fields named like the properties of a oneof case. */
interface Lookalike {
  case: string;
  value: bigint;
}

describe("the input of a call", () => {
  it("accepts any message, even if its type is a parameter", () => {
    const encode = <Message>(
      type: MessageType<Message>,
      message: Message,
    ): string[] => [toJson(type, message), decisionOf(type, message).json];
    const leafType: MessageType<Leaf> = {
      name: "test.Leaf",
      fields: () => [{ name: "cents", type: scalar.int64 }],
    };
    const json = '{"cents":"1"}';
    assert.deepEqual(encode(leafType, { cents: 1n }), [json, json]);
    assert.equal(toJson(leafType, { cents: 1 }), json);
  });

  it("can be empty", () => {
    const inputs: Input<Tree>[] = [
      {},
      { text: undefined, leaf: {}, below: [{}] },
    ];
    const lookalike: Input<Lookalike> = { value: 1 };
    assert.ok(inputs.length === 2 && lookalike.value === 1);
  });

  it("accepts numbers for 64-bit integers at every depth", () => {
    const input: Input<Tree> = {
      leaf: { cents: 1 },
      leaves: [{ cents: 2n }],
      counts: { a: 3 },
      byName: { b: { cents: 4 } },
      choice: { case: "number", value: 5 },
    };
    assert.equal(input.choice?.case, "number");
  });

  it("accepts every message that a call returns", () => {
    const given: Tree = {
      text: "",
      raw: new Uint8Array(),
      state: 7,
      at: "2026-01-31T12:00:00Z",
      leaves: [],
      counts: {},
      byName: {},
      choice: { case: "leaf", value: { cents: 1n } },
      struct: { a: [null] },
      value: null,
      below: [],
    };
    const input: Input<Tree> = given;
    assert.equal(input, given);
  });

  it("accepts bytes backed by any buffer", () => {
    const raw: Uint8Array = new Uint8Array(new SharedArrayBuffer(1));
    const input: Input<Tree> = { raw };
    assert.equal(input.raw, raw);
  });

  it("accepts a Date for a timestamp, and known names for an enum", () => {
    const input: Input<Tree> = { at: new Date(0), state: "STATE_A" };
    assert.equal(input.state, "STATE_A");
    const received = { state: "STATE_OF_TOMORROW" } as Pick<Tree, "state">;
    const again: Input<Tree> = received;
    assert.equal(again.state, "STATE_OF_TOMORROW");
  });

  it("accepts constant objects", () => {
    const words = ["a", "b"] as const;
    const input: Input<Text> = { words };
    assert.deepEqual(input.words, words);
  });

  it("rejects values of the wrong type", () => {
    const fits: [
      Fits<{ state: "STATE_OF_TOMORROW" }, Tree>,
      Fits<{ text: Date }, Tree>,
      Fits<{ cents: string }, Leaf>,
      Fits<{ choice: { case: "other"; value: bigint } }, Tree>,
      Fits<{ choice: { case: "number"; value: object } }, Tree>,
      Fits<{ choice: { case: "number"; value: number } }, Tree>,
    ] = [false, false, false, false, false, true];
    assert.equal(fits.length, 6);
  });
});

type Fits<Given, Message> = Given extends Input<Message> ? true : false;
