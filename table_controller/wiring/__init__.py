"""What connects game, service and devices to one served table; and the settings it reads."""
