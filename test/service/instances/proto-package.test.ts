import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { protoPackageOf } from '../../../service/instances/proto-package.ts';

const file = (name: string, ...messages: string[]) =>
  create(FileDescriptorProtoSchema, { package: name, messageType: messages.map((one) => ({ name: one })) });

describe('the proto package of a shell package', () => {
  for (const [fullName, expected] of [
    ['acme/invoices', 'acme.invoices'],
    ['acme-corp/invoice-tools', 'acme_corp.invoice_tools'],
    ['acme/v1.2_x', 'acme.v1_2_x'],
    ['3m/2d', '_3m._2d'],
    ['google/protobuf', '_google.protobuf'],
  ] as const) {
    it(`for ${fullName} is ${expected}`, () => assert.equal(protoPackageOf(fullName, []), expected));
  }

  it('ignores files of other packages', () => {
    assert.equal(protoPackageOf('acme/bills', [file('acme.v1', 'Bill'), file('', 'Acme')]), 'acme.bills');
  });

  for (const [what, other] of [
    ['declares it', file('acme.bills')],
    ['declares a package in it', file('acme.bills.v1')],
    ['has a message of its name', file('acme', 'bills')],
    ['has a message of its first part', file('', 'acme')],
  ] as const) {
    it(`has a prefix if a file ${what}`, () => {
      assert.equal(protoPackageOf('acme/bills', [other]), 'instance.acme.bills');
    });
  }

  it('has a numbered prefix if the prefix is taken as well', () => {
    const other = [file('acme.bills'), file('', 'instance')];
    assert.equal(protoPackageOf('acme/bills', other), 'instance_2.acme.bills');
  });
});
