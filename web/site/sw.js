// Service worker: stores the whole site for use without a network. build.sh puts VERSION and FILES
// in front. While there is a network, pages come from it, so that no old page is shown. Only the
// newest version is stored.
'use strict';
addEventListener('install', event =>
  event.waitUntil(
    caches
      .open(VERSION)
      .then(cache => cache.addAll(FILES))
      .then(() => skipWaiting()),
  ),
);
addEventListener('activate', event =>
  event.waitUntil(
    caches
      .keys()
      .then(names =>
        Promise.all(names.filter(name => name !== VERSION).map(name => caches.delete(name))),
      )
      .then(() => clients.claim()),
  ),
);
addEventListener('fetch', event => {
  if (event.request.method !== 'GET' || !event.request.url.startsWith(registration.scope)) return;
  const kept = () =>
    caches.match(event.request, { ignoreSearch: true }).then(found => found || Response.error());
  event.respondWith(
    fetch(event.request).then(answer => (answer.status < 500 ? answer : kept()), kept),
  );
});
