import { Ajv2020 } from 'ajv/dist/2020.js';
import type { MessageRegistry } from '../../../service/messages/registry.ts';
import type { Direction } from '../../../specs/json-schema/json-schema.ts';
import { messageSchema } from '../../../specs/json-schema/message-schema.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';
import {
  type Accepts,
  assertInputsAgree,
  assertOutputsFit,
  unforeseenRefusals,
} from '../../support/schema-agreement.ts';

const typeName = 'test.v1.Sink';

describe('the JSON Schema of any message', function () {
  this.timeout(300_000);
  let registry: MessageRegistry;
  const acceptsBy = (direction: Direction): Accepts => {
    // Fields may be called as what every object inherits.
    const ajv = new Ajv2020({ ownProperties: true, validateFormats: false, strictTypes: false });
    return ajv.compile(messageSchema(describeTypes(registry, [typeName]), typeName, direction));
  };

  before(async () => {
    registry = await compiledRegistry(kitchenSink);
  });

  it('accepts exactly the JSON that the service accepts', () => {
    const accepts = acceptsBy('input');
    const unforeseen = unforeseenRefusals;
    assertInputsAgree({ registry, typeName, accepts, form: 'json-schema', unforeseen, runs: 1_500 });
  });

  it('accepts everything that the service writes', () => {
    assertOutputsFit(registry, typeName, acceptsBy('output'), 30);
  });
});
