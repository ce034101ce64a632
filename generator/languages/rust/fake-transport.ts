import { printUse } from './lines.ts';

/** Returns the code of a transport for tests that sends nothing, and of a client that uses it. */
export function fakeTransport(crate: string): string {
  return [
    printUse(`${crate}::http`, [
      'Body',
      'BoxFuture',
      'Request',
      'Response',
      'StatusCode',
      'Transport',
      'TransportError',
    ]),
    printUse(`${crate}::types`, ['Bytes']),
    printUse(crate, ['Client', 'Error']),
    '',
    '/// Gives every request the same response.',
    'struct Fake {',
    '    status: StatusCode,',
    '    body: String,',
    '}',
    '',
    'impl Transport for Fake {',
    '    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {',
    '        let mut response = Response::new(Body::from(self.body.clone()));',
    '        *response.status_mut() = self.status;',
    '        Box::pin(async { Ok(response) })',
    '    }',
    '}',
    '',
    'fn fake_client(status: StatusCode, body: &str) -> Result<Client, Error> {',
    '    let body = body.to_owned();',
    '    Client::builder()',
    '        .api_key("test")',
    '        .base_url("https://svc.example")',
    '        .transport(Fake { status, body })',
    '        .build()',
    '}',
    '',
  ].join('\n');
}
