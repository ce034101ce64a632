import assert from 'node:assert/strict';

import type { Operation } from '../../../specs/operations/operation.ts';
import { operationsBound } from './operations.ts';

function operation(id: string, path: string): Operation {
  return { id, method: 'get', path, family: 'system', summary: id, caller: 'public', responses: {} };
}

describe('the operation rule', () => {
  const getClient = operation('getClient', '/api/v1/clients/{id}');
  const listClients = operation('listClients', '/api/v1/clients');
  const all = [getClient, listClients];

  it('accepts operations that are bound once', () => {
    assert.deepEqual(operationsBound(all, [listClients, getClient]), []);
  });

  it('finds an operation without a handler', () => {
    assert.deepEqual(operationsBound(all, [getClient]), ['listClients is bound to no handler']);
  });

  it('finds an operation bound twice', () => {
    assert.deepEqual(operationsBound(all, [...all, getClient]), ['getClient is bound more than once']);
  });

  it('finds a route without an operation', () => {
    const found = operationsBound(all, [...all, operation('secret', '/secret')]);
    assert.deepEqual(found, ['secret is bound, but specs/operations does not export it']);
  });

  it('finds two operations with the same id or address', () => {
    const sameId = operation('getClient', '/other');
    assert.deepEqual(operationsBound([...all, sameId], [...all, sameId]), [
      'getClient is bound more than once',
      'getClient names more than one operation',
    ]);
    const sameAddress = operation('readClient', '/api/v1/clients/{client}');
    assert.deepEqual(operationsBound([...all, sameAddress], [...all, sameAddress]), [
      'GET /api/v1/clients/{} is the address of more than one operation',
    ]);
  });
});
