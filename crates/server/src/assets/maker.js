// A maker's page loads anew when a file of the game was saved.
const changes = new EventSource('/api/changes');
changes.addEventListener('changed', () => location.reload());
